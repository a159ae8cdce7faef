package app

import "testing"

func TestHeapLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ live, want uint64 }{
		{10 << 20, 96 << 20},   // a small server: the floor
		{36 << 20, 96 << 20},   // as far as the floor reaches
		{100 << 20, 224 << 20}, // twice what lives and room for stacks
	} {
		if got := heapLimit(c.live); got != int64(c.want) {
			t.Errorf("heapLimit(%d) = %d, want %d", c.live, got, c.want)
		}
	}
}
