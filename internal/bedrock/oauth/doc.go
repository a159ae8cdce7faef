// Package oauth lets programs act for people: the OAuth 2.1 authorization
// server, personal tokens, and the check of every token that is presented.
//
// Standards: OAuth 2.1 with PKCE S256 (RFC 7636), metadata (RFC 8414, 9728),
// dynamic registration (RFC 7591), client ID metadata documents, resource
// indicators (RFC 8707), the issuer in every redirect (RFC 9207), JWT access
// tokens (RFC 9068), revocation (RFC 7009), introspection (RFC 7662).
//
// A grant is what an account allowed a client to do: in one workspace, on some
// plates, with some scopes. Everything hangs on its row, which is read on every
// call: revoking it ends its access and refresh tokens at once. So does leaving
// the workspace.
//
// Secrets. The database holds no token: codes (60 s, used once), client secrets
// and personal tokens are kept as their SHA-256, and each is 256 random bits.
// Refresh tokens are derived:
//
//	trt_<grant>_<generation>_<HMAC-SHA256(K, "rt|grant|generation|" seed)>
//	K = HKDF-SHA256(session secret, "tectonic oauth refresh v1")
//
// A refresh raises the generation by compare and swap. The last generation,
// within the grace of its rotation, gets the same successor again, because
// clients refresh one stored token from several processes; anything older means
// that the token was copied, and the grant is revoked.
//
// Access tokens are RS256 JWTs of one hour; aud lists the addresses of plates.
//
// It owns the tables clients, grants and tokens, and reads who is a member.
// Who sits at the browser, how pages look and where events are written down
// come in through Options: the package stands on the database alone, so that
// it can be reviewed by itself.
package oauth
