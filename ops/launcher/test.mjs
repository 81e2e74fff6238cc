// Entry point of `npm test`; see start.mjs.
const major = Number(process.versions.node.split('.')[0]);
if (major < 18) {
  console.error(`Clearframe needs Node 18 or newer to be tested; this is Node ${process.versions.node}.`);
  process.exit(1);
}
const { readChoice, test } = await import('./test/run-test.mjs');
process.exit(await test(readChoice(process.argv.slice(2))));
