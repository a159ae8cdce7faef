// mcp-remote, as a program uses it that knows only servers over stdio.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { found } from './person.mjs';

const [url, port] = process.argv.slice(2);
const client = new Client({ name: 'mcp-remote.mjs', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: 'node_modules/.bin/mcp-remote', args: [url, port], env: process.env, stderr: 'inherit' }), { timeout: 120_000 });
const { tools } = await client.listTools();
const whoami = await client.callTool({ name: 'whoami', arguments: {} });
const refused = await client.callTool({ name: 'get_workout', arguments: { workout_id: 987654321 } });
const result = { tools: tools.length, email: whoami.structuredContent.email, refused: refused.isError === true };
await client.close(); // ends mcp-remote
found(result);
