// The client of @modelcontextprotocol/client, from nothing to a call. The
// second argument says how it agrees on a version.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { found, openPerson } from './person.mjs';

const url = new URL(process.argv[2]);
const options = process.argv[3] === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {};
const person = await openPerson('client.mjs');
const transport = () => new StreamableHTTPClientTransport(url, { authProvider: person.provider });
const make = () => new Client({ name: 'client.mjs', version: '1.0.0' }, options);

const first = transport();
try {
  await make().connect(first);
  throw new Error('nobody was asked');
} catch (e) {
  if (!(e instanceof UnauthorizedError)) throw e;
}
await first.finishAuth(await person.allowed());

const client = make();
await client.connect(transport());
const { tools } = await client.listTools();
const whoami = await client.callTool({ name: 'whoami', arguments: {} });
const refused = await client.callTool({ name: 'get_workout', arguments: { workout_id: 987654321 } });
const before = person.kept.tokens.refresh_token;
person.expire();
const again = await client.callTool({ name: 'whoami', arguments: {} });
found({
  version: client.getNegotiatedProtocolVersion(), tools: tools.length, email: whoami.structuredContent.email, refused: refused.isError === true,
  refreshed: again.structuredContent.email === whoami.structuredContent.email && person.kept.tokens.refresh_token !== before,
});
