// Entry point of `npm run dev`; see start.mjs.
const major = Number(process.versions.node.split('.')[0]);
if (major < 18) {
  console.error(`Clearframe needs Node 18 or newer to start; this is Node ${process.versions.node}.`);
  process.exit(1);
}
const { start } = await import('./start/run-start.mjs');
process.exit(await start({ isDevelopment: true }));
