/**
 * Serves the authentication emulator of `firebase-tools` on 127.0.0.1: `node auth-emulator-process.mjs PROJECT PORT`.
 * Its command line would load every other emulator and compile all API schemas, 20 s of processor time; compiled lazily
 * they take 1 s.
 */
import { createRequire } from 'node:module';

const [project, port] = process.argv.slice(2);
const requireFromTool = createRequire(createRequire(import.meta.url).resolve('firebase-tools/package.json'));

const exegesis = requireFromTool('exegesis-express');
const { middleware } = exegesis;
exegesis.middleware = (document, options) => middleware(document, { ...options, lazyCompileValidationSchemas: true });

const { createApp } = requireFromTool('./lib/emulator/auth/server.js');
const app = await createApp(project);
app.listen(Number(port), '127.0.0.1');
// Closes when the tests end, also when they are killed.
process.once('disconnect', () => process.exit());
