import { existsSync } from 'node:fs';

const BENCHES = {
  api: () => import('./api.ts').then(({ benchApi }) => benchApi()),
  changes: () => import('./changes.ts').then(({ benchChanges }) => benchChanges()),
  fade: () => import('./fade.ts').then(({ benchFade }) => benchFade(process.argv.slice(3))),
  fairness: () => import('./fairness.ts').then(({ benchFairness }) => benchFairness()),
  image: () => import('./image.ts').then(({ benchImage }) => benchImage()),
  me: () => import('./me.ts').then(({ benchMe }) => benchMe()),
  pages: () => import('./pages.ts').then(({ benchPages }) => benchPages()),
  plugin: () => import('./plugin.ts').then(({ benchPlugin }) => benchPlugin()),
  quality: () => import('./quality/quality.ts').then(({ benchQuality }) => benchQuality(process.argv.slice(3))),
  repair: () => import('./repair.ts').then(({ benchRepair }) => benchRepair(process.argv.slice(3))),
  status: () => import('./status.ts').then(({ benchStatus }) => benchStatus()),
  uploads: () => import('./uploads.ts').then(({ benchUploads }) => benchUploads()),
  video: () => import('./video/video.ts').then(({ benchVideo }) => benchVideo(process.argv.slice(3))),
  'video-quality': () =>
    import('./video/quality.ts').then(({ benchVideoQuality }) => benchVideoQuality(process.argv.slice(3))),
} as const;

const [name = ''] = process.argv.slice(2);
if (!Object.hasOwn(BENCHES, name)) {
  console.error(`Usage: pnpm bench ${Object.keys(BENCHES).join(' | ')}`);
  process.exit(2);
}
// Imported by every bench; `pnpm install` alone builds nothing.
const missing = ['contract', 'runtime', 'worker'].filter(
  (room) => !existsSync(new URL(`../${room}/dist`, import.meta.url)),
);
if (missing.length > 0) {
  console.error(
    `${missing.join(', ')} ${missing.length > 1 ? 'have' : 'has'} not been built: run \`pnpm build:node\` first.`,
  );
  process.exit(1);
}
await BENCHES[name as keyof typeof BENCHES]();
