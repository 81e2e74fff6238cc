import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true;
  }
}

export default defineConfig({
  plugins: [
    tailwindcss(),
    remix({
      ignoredRouteFiles: ['**/*.test.*'],
      future: {
        v3_fetcherPersist: true,
        v3_lazyRouteDiscovery: true,
        v3_relativeSplatPath: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
      },
    }),
  ],
  // Node would get the default export of these wrapped in an object.
  ssr: { noExternal: ['i18next-icu', 'intl-messageformat', /^@formatjs\//] },
  build: {
    target: 'es2022',
    // Fonts and pictures stay files: a data address would have to be allowed by the content security policy.
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        // What nearly every page uses travels together: many small files compress badly.
        manualChunks: (id) => (/\/app\/(?:ui\/|document-data)|\/lucide-react\//.test(id) ? 'ui' : undefined),
      },
    },
  },
});
