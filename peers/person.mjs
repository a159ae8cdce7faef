// What a client needs of the person in front of it: somewhere to keep what it
// was given, and a browser. The browser is whoever reads our output: it is
// told an address and brings the answer to the callback.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';

export async function openPerson(name) {
  let answered;
  const answer = new Promise((resolve) => (answered = resolve));
  const server = createServer((req, res) => {
    res.end('You may close this window.');
    answered(new URL(req.url, 'http://127.0.0.1').searchParams);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const redirectUrl = `http://127.0.0.1:${server.address().port}/callback`;
  const kept = {};
  const keep = (key) => (value) => void (kept[key] = value);
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: 'none' },
    state: () => (kept.state ??= randomUUID()),
    saveState: keep('state'),
    storedState: () => kept.state,
    clientInformation: () => kept.client,
    saveClientInformation: keep('client'),
    isClientInformationDynamicallyRegistered: () => true,
    authorizationServerInformation: () => kept.server,
    saveAuthorizationServerInformation: keep('server'),
    tokens: () => kept.tokens,
    saveTokens: keep('tokens'),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: keep('verifier'),
    redirectToAuthorization: (url) => console.log(`open ${url}`),
  };
  return {
    provider,
    kept,
    /** The parameters that came back to the callback. */
    async allowed() {
      const params = await answer;
      server.close();
      if (params.get('state') !== kept.state) throw new Error('another state came back');
      if (params.has('error')) throw new Error(params.get('error_description') ?? params.get('error'));
      return params;
    },
    /** What a client forgets when its access token has run out. */
    expire: () => void (kept.tokens = { ...kept.tokens, access_token: 'run-out' }),
  };
}

/** The last line of a script: what it found, for the test that started it. */
export function found(what) {
  console.log(`found ${JSON.stringify(what)}`);
  process.exit(0);
}
