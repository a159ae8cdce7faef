// The client of @ai-sdk/mcp, from nothing to a call, as an agent's loop runs it.
import { auth, createMCPClient } from '@ai-sdk/mcp';
import { found, openPerson } from './person.mjs';

const serverUrl = process.argv[2];
const person = await openPerson('ai-sdk.mjs');
if ((await auth(person.provider, { serverUrl })) !== 'REDIRECT') throw new Error('nobody was asked');
const back = await person.allowed();
await auth(person.provider, {
  serverUrl, authorizationCode: back.get('code'), callbackState: back.get('state'), callbackIssuer: back.get('iss') ?? undefined,
});

const client = await createMCPClient({ transport: { type: 'http', url: serverUrl, authProvider: person.provider } });
const tools = await client.tools();
const run = (name, input) => tools[name].execute(input, { toolCallId: name, messages: [] });
const whoami = await run('whoami', {});
const refused = await run('get_workout', { workout_id: 987654321 });
const before = person.kept.tokens.refresh_token;
person.expire();
const again = await run('whoami', {});
const email = (result) => result.structuredContent.email;
found({
  tools: Object.keys(tools).length, email: email(whoami), refused: refused.isError === true,
  refreshed: email(again) === email(whoami) && person.kept.tokens.refresh_token !== before,
});
