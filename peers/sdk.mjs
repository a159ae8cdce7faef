// The client of @modelcontextprotocol/sdk, from nothing to a call.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { found, openPerson } from './person.mjs';

const url = new URL(process.argv[2]);
const person = await openPerson('sdk.mjs');
const transport = () => new StreamableHTTPClientTransport(url, { authProvider: person.provider });
const make = () => new Client({ name: 'sdk.mjs', version: '1.0.0' });

const first = transport();
try {
  await make().connect(first);
  throw new Error('nobody was asked');
} catch (e) {
  if (!(e instanceof UnauthorizedError)) throw e;
}
await first.finishAuth((await person.allowed()).get('code'));

const client = make();
const open = transport();
await client.connect(open);
const { tools } = await client.listTools();
const whoami = await client.callTool({ name: 'whoami', arguments: {} });
const refused = await client.callTool({ name: 'get_workout', arguments: { workout_id: 987654321 } });
const before = person.kept.tokens.refresh_token;
person.expire();
const again = await client.callTool({ name: 'whoami', arguments: {} });
found({
  version: open.protocolVersion, tools: tools.length, email: whoami.structuredContent.email, refused: refused.isError === true,
  refreshed: again.structuredContent.email === whoami.structuredContent.email && person.kept.tokens.refresh_token !== before,
});
