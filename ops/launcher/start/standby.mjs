/**
 * For `npm run dev`: loads the packages of a room, which take most of the time of its start, and begins with its main module when
 * the launcher says so. Arguments: the room's package.json, and the main module. Ends with the launcher.
 */
import { readFileSync } from 'node:fs';
import { flushCompileCache, registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [manifest = '', main = ''] = process.argv.slice(2).map((file) => path.resolve(file));
const isStarted = new Promise((resolve) => process.once('message', resolve));
const exit = () => process.exit();
process.once('disconnect', exit);

// Packages are found from the room.
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier,
      context.parentURL === import.meta.url ? { ...context, parentURL: `${pathToFileURL(manifest)}` } : context,
    ),
});
const packages = Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).dependencies);
// The rooms' own change. A package without an entry of its own is left to the room.
await Promise.allSettled(packages.filter((name) => !name.startsWith('@clearframe/')).map((name) => import(name)));
hooks.deregister();
// A service is killed for the next one, and would not write them.
flushCompileCache();

await isStarted;
process.off('disconnect', exit);
await import(`${pathToFileURL(main)}`);
