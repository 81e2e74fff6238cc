// Entry point of `npm test`; see start.mjs.
const major = Number(process.versions.node.split('.')[0]);
if (major < 18) {
  console.error(`Clearframe needs Node 18 or newer to be tested; this is Node ${process.versions.node}.`);
  process.exit(1);
}
const { test } = await import('./test/run-test.mjs');
const LENGTHS = /** @type {const} */ ({ '--long': 'long', '--all': 'all' });
const [first, ...rest] = process.argv.slice(2);
const length = LENGTHS[/** @type {keyof typeof LENGTHS} */ (first)];
process.exit(await test(length ? { length, filters: rest } : { length: 'short', filters: process.argv.slice(2) }));
