package db

import (
	"context"
	"database/sql"
	"strings"
	"sync"
)

// statements keeps the generated queries of a pool prepared. SQLite would
// parse and plan each of them on every call, which often takes longer than
// running it; PostgreSQL's driver keeps its own.
type statements struct {
	pool   *sql.DB
	mu     sync.Mutex
	kept   map[string]*sql.Stmt
	wanted []string
}

// mostKept bounds what is kept; a plate has some dozens of queries.
const mostKept = 1000

// generated is how every query begins that sqlc wrote. Others are made at run
// time and would be kept for nothing.
const generated = "-- name: "

func newStatements(pool *sql.DB) *statements {
	return &statements{pool: pool, kept: map[string]*sql.Stmt{}}
}

// in returns the kept statement bound to the transaction, or nil when the
// query has to be run as text this time. The transaction closes it.
func (s *statements) in(ctx context.Context, tx *sql.Tx, query string) *sql.Stmt {
	if s == nil || !strings.HasPrefix(query, generated) {
		return nil
	}
	s.mu.Lock()
	stmt, ok := s.kept[query]
	if !ok && len(s.kept)+len(s.wanted) < mostKept {
		s.wanted = append(s.wanted, query)
	}
	s.mu.Unlock()
	if !ok {
		return nil
	}
	return tx.StmtContext(ctx, stmt)
}

// settle prepares what was wanted. It is called between transactions: inside
// one, every connection could be waiting for another to prepare on.
func (s *statements) settle(ctx context.Context) {
	if s == nil {
		return
	}
	s.mu.Lock()
	wanted := s.wanted
	s.wanted = nil
	s.mu.Unlock()
	for _, query := range wanted {
		stmt, err := s.pool.PrepareContext(ctx, query)
		if err != nil {
			return // it is wanted again by the next call
		}
		s.keep(query, stmt)
	}
}

func (s *statements) keep(query string, stmt *sql.Stmt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.kept[query]; ok {
		stmt.Close() // another call was faster
		return
	}
	s.kept[query] = stmt
}
