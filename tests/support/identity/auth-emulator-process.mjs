/**
 * Serves the authentication emulator of `firebase-tools` on 127.0.0.1: `node auth-emulator-process.mjs PROJECT PORT`.
 *
 * The command line loads every other emulator and compiles the schemas of the whole API first, which takes 20 s of
 * processor time; compiled when they are first used they take 1 s.
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
// The tests end with this channel, also when they are killed.
process.once('disconnect', () => process.exit());
