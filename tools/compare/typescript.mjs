// The two tools on the official TypeScript SDK, stateless and without
// authentication: node typescript.mjs PORT ANSWERS, with NODE_PATH on the
// packages of peers/.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import path from "node:path";

const peers = createRequire(path.join(process.env.PEERS, "package.json"));
const load = (name) => import(pathToFileURL(peers.resolve(name)));
const { McpServer } = await load("@modelcontextprotocol/sdk/server/mcp.js");
const { StreamableHTTPServerTransport } = await load("@modelcontextprotocol/sdk/server/streamableHttp.js");
const express = (await load("express")).default;

const [port, file] = process.argv.slice(2);
const answers = JSON.parse(readFileSync(file, "utf8"));

function makeServer() {
  const server = new McpServer({ name: "typescript", version: "1" });
  for (const [name, payload] of Object.entries(answers)) {
    server.registerTool(name, { inputSchema: undefined }, async () => ({ content: [{ type: "text", text: "ok" }], structuredContent: payload }));
  }
  return server;
}

const app = express();
app.use(express.json());
app.post("/mcp", async (req, res) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  res.on("close", () => transport.close());
  await makeServer().connect(transport);
  await transport.handleRequest(req, res, req.body);
});
app.listen(Number(port), "127.0.0.1");
