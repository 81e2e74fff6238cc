import { fileURLToPath } from 'node:url';
import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';
import { TIMEOUTS, testFiles } from '../vitest.files.ts';

// The API that the tests call runs from its sources, as in api/vitest.config.ts.
export default defineConfig({
  plugins: [swc.vite({ module: { type: 'es6' } })],
  // The MCP server is tested with the client's sources, too.
  resolve: { alias: { '@clearframe/client': fileURLToPath(new URL('src/index.ts', import.meta.url)) } },
  test: {
    name: 'client',
    ...testFiles(['src/**', 'test/**', 'mcp/test/**']),
    globalSetup: ['../api/test/support/stores/template-database.ts'],
    isolate: false,
    execArgv: ['--max-semi-space-size=64'],
    ...TIMEOUTS,
  },
});
