import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { vitePlugin as remix } from '@remix-run/dev';
import { minify } from '@swc/core';
import tailwindcss from '@tailwindcss/vite';
import { build, defineConfig, type Plugin, type Rollup } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { buildPlugin } from '../plugin/build.ts';

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true;
  }
}

const inFolder = (files: readonly string[]) => files.map((file) => path.join(import.meta.dirname, file));

/** Loaded by every page. */
const ENTRIES = inFolder(['app/entry.client.tsx', 'app/root.tsx']);
const COMMON = inFolder(['app/ui/content/notice.tsx', 'app/http/page.ts']);

const HOME = inFolder(['app/features/home/home.route.tsx']);
/** Pages of new visitors, who load nothing for others. */
const FIRST = [...HOME, ...inFolder(['app/features/shared/shared.route.tsx'])];
const RESULT = inFolder(['app/features/result/result.route.tsx']);
/** Show a stage or its parts, as the result does. */
const STAGE_ROUTES = inFolder(['app/features/processing/processing.route.tsx', 'app/features/batch/batch.route.tsx']);

/**
 * Many small files compress badly, and with HTTP/1.1 each waits for a connection. One chunk has what nearly every page
 * loads and what home shares with another; the result's other modules are three: those of pages of all kinds, those of
 * pages with a stage, and its own. The rest is split by route and dynamic import.
 */
function createSharedChunks(): Rollup.GetManualChunk {
  let chunks: ReadonlyMap<string, string> | undefined;
  return (id, graph) => {
    chunks ??= chunksOf(graph);
    return chunks.get(id);
  };
}

function chunksOf({ getModuleIds, getModuleInfo }: Rollup.ManualChunkMeta): ReadonlyMap<string, string> {
  const importsOf = (files: readonly string[]) => staticImportsOf(files, getModuleInfo);
  const first = importsOf(FIRST);
  const common = importsOf([...ENTRIES, ...COMMON]);
  const stage = importsOf(STAGE_ROUTES);
  const others = importsOf(
    [...getModuleIds()].filter((id) => isRoute(id) && !RESULT.includes(id) && !STAGE_ROUTES.includes(id)),
  );
  const chunks = new Map<string, string>();
  for (const id of importsOf(RESULT)) {
    if (!RESULT.includes(id) && !first.has(id) && !isPartlyUsed(id))
      chunks.set(id, others.has(id) ? 'pages' : stage.has(id) ? 'stage' : 'result');
  }
  const afterHome = importsOf([...getModuleIds()].filter((id) => isRoute(id) && !HOME.includes(id)));
  for (const id of importsOf(HOME)) if (afterHome.has(id) && !isPartlyUsed(id)) chunks.set(id, 'shared');
  for (const id of common) chunks.set(id, 'shared');
  for (const id of ENTRIES) chunks.delete(id);
  return chunks;
}

/** Importing these says nothing: their index imports all, and only what is used is bundled. */
const PARTLY_USED = ['@clearframe/contract', 'zod'].map((name) =>
  path.join(path.dirname(fileURLToPath(import.meta.resolve(name))), path.sep),
);
const isPartlyUsed = (id: string): boolean => PARTLY_USED.some((folder) => id.startsWith(folder));
const isRoute = (id: string): boolean => /\.route\.tsx?$/.test(id);

/** The entries and their transitive static imports. */
function staticImportsOf(entries: readonly string[], getModuleInfo: Rollup.GetModuleInfo): Set<string> {
  const found = new Set<string>(entries);
  // The set grows while it is walked.
  for (const id of found) for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** 7 kB of the home page smaller than esbuild's (bench/results/pages.md), and faster than terser: 2 s of CPU time, not 35. */
const swcMinifier: Plugin = {
  name: 'minify-by-swc',
  apply: 'build',
  renderChunk: {
    order: 'post',
    handler: (code) =>
      minify(code, {
        module: true,
        mangle: true,
        compress: { ecma: 2020, passes: 3, pure_getters: true, toplevel: true },
        format: { comments: false },
      }),
  },
};

/** `?inline-script`: a module and its imports as the text of a classic script, minified. */
const inlineScript: Plugin = {
  name: 'inline-script',
  enforce: 'pre',
  async load(id) {
    const [file = '', query] = id.split('?');
    if (query !== 'inline-script') return null;
    const bundle = await build({
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      build: {
        write: false,
        minify: false,
        target: 'es2022',
        rollupOptions: { input: file, output: { format: 'iife' } },
      },
    });
    const chunk = 'output' in bundle ? bundle.output[0] : null;
    if (!chunk) throw new Error(`no script from ${file}`);
    for (const module of chunk.moduleIds) this.addWatchFile(module);
    const { code } = await minify(chunk.code, { mangle: true, compress: { ecma: 2020, passes: 3, toplevel: true } });
    return { code: `export default ${JSON.stringify(code)}`, moduleSideEffects: false };
  },
};

const PHOTOSHOP_PLUGIN = 'virtual:photoshop-plugin';

/** What the Photoshop plug-in consists of, whatever the server (features/plugin). */
const photoshopPlugin: Plugin = {
  name: 'photoshop-plugin',
  resolveId: (id) => (id === PHOTOSHOP_PLUGIN ? `\0${id}` : null),
  async load(id) {
    if (id !== `\0${PHOTOSHOP_PLUGIN}`) return null;
    const { files, commands } = await buildPlugin();
    const encoded = Object.entries(files).map(([file, content]) => [file, Buffer.from(content).toString('base64')]);
    return `export default ${JSON.stringify({ files: Object.fromEntries(encoded), commands })}`;
  },
};

/** A circle of chunks evaluates one before what it imports: pages fail. */
const rejectChunkCircles: Plugin = {
  name: 'reject-chunk-circles',
  apply: 'build',
  generateBundle(_, bundle) {
    const done = new Set<string>();
    const visit = (name: string, path: readonly string[]): void => {
      if (path.includes(name)) this.error(`Chunks import each other: ${[...path, name].join(' > ')}`);
      const chunk = bundle[name];
      if (done.has(name) || chunk?.type !== 'chunk') return;
      for (const imported of chunk.imports) visit(imported, [...path, name]);
      done.add(name);
    };
    for (const name of Object.keys(bundle)) visit(name, []);
  },
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    tailwindcss(),
    inlineScript,
    photoshopPlugin,
    isSsrBuild ? [] : [swcMinifier, rejectChunkCircles],
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_lazyRouteDiscovery: true,
        v3_relativeSplatPath: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
      },
    }),
    isSsrBuild ? [] : compression({ include: /\.(?:js|css|svg)$/, algorithms: ['gzip', 'brotliCompress'] }),
  ],
  // Bundled: Node would wrap their default exports in an object, and finds no package of the plug-in.
  ssr: { noExternal: ['i18next-icu', 'intl-messageformat', /^@formatjs\//, 'fflate'] },
  build: {
    target: 'es2022',
    minify: false,
    // Lists of what lazy chunks import would cost every page 1.3 kB; links load modals on hover, before the click.
    modulePreload: { resolveDependencies: () => [] },
    // The content security policy allows no data URLs for fonts.
    assetsInlineLimit: 0,
    rollupOptions: {
      output: isSsrBuild ? {} : { manualChunks: createSharedChunks(), onlyExplicitManualChunks: true },
    },
  },
}));
