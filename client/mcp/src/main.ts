#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { Clearframe } from '@clearframe/client';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createHttpEndpoint } from './http.ts';
import { createServer } from './server.ts';

const HELP = `Usage: clearframe-mcp [--http PORT [--host NAME]]

Restores photos and videos as tools of the Model Context Protocol.

Without options over standard input and output, with the key of CLEARFRAME_API_KEY; it reads and writes files of this machine.
With --http at http://127.0.0.1:PORT/mcp for several users: each request carries its own key, and files are addresses.

  --http PORT   listen on this port
  --host NAME   also answer under this host name, for instance behind a proxy

CLEARFRAME_URL is where Clearframe runs (http://localhost:3000).
`;

const { values } = parseArgs({
  options: { http: { type: 'string' }, host: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) process.stdout.write(HELP);
else if (values.http === undefined) {
  // Standard output belongs to the protocol.
  await createServer(new Clearframe(), { hasFiles: true }).connect(new StdioServerTransport());
} else {
  const port = Number(values.http);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    process.stderr.write(`--http must be a port number from 1 to 65535\n`);
    process.exit(2);
  }
  const baseUrl = process.env.CLEARFRAME_URL;
  const allowedHosts = [`127.0.0.1:${port}`, `localhost:${port}`, ...(values.host ? [values.host] : [])];
  createHttpEndpoint({ allowedHosts, ...(baseUrl && { baseUrl }) }).listen(port, '127.0.0.1', () =>
    process.stderr.write(`http://127.0.0.1:${port}/mcp\n`),
  );
}
