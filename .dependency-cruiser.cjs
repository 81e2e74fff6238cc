/** Allowed imports (docs/decisions/0001-packages-and-arrows.md): arrows between rooms, and no circles of modules or folders. Tests may import from anywhere. */
const between = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: to },
});

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-circles-of-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    {
      name: 'contract-is-pure',
      comment: 'contract imports zod and nothing else: no IO, no environment',
      severity: 'error',
      from: { path: '^contract/src', pathNot: ['\\.test\\.ts$', '^contract/src/http/accept-language'] },
      to: { pathNot: ['^contract/src', 'node_modules/zod/'] },
    },
    {
      name: 'accept-language-is-apart',
      comment: 'an entry point of its own with libraries of its own: no script of a page may carry them',
      severity: 'error',
      from: { path: '^(contract|web)/', pathNot: ['\\.test\\.ts$', '\\.server\\.ts$'] },
      to: { path: '^contract/(src|dist)/http/accept-language' },
    },
    between('runtime-is-below', '^runtime/', '^(api|worker|sandbox|web)/', 'runtime knows no capability'),
    {
      name: 'store-adapters-stay-inside',
      comment: 'everything else uses the ObjectStore port',
      severity: 'error',
      from: { pathNot: ['^runtime/src/storage/', '\\.test\\.ts$'] },
      to: { path: '^runtime/(src|dist)/storage/(disk|s3)/' },
    },
    {
      name: 'aws-sdk-only-in-the-s3-adapter',
      severity: 'error',
      from: { path: '^(runtime|api|worker|web)/', pathNot: '^runtime/src/storage/s3/' },
      to: { path: 'node_modules/@aws-sdk/' },
    },
    between('web-needs-no-runtime', '^web/', '^runtime/', 'runtime is for Node processes behind the HTTP API'),
    between('api-is-alone', '^api/', '^(web|worker)/', 'api, worker and web meet over HTTP, Redis and object keys'),
    between(
      'api-knows-the-sandbox-by-address',
      '^api/src/',
      '^sandbox/',
      'the sandbox is a server; only tests start it in their process',
    ),
    between(
      'sandbox-is-alone',
      '^sandbox/',
      '^(api|web|worker)/',
      'the sandbox stands for providers, which know nothing of the product',
    ),
    between('worker-is-alone', '^worker/', '^(web|api)/', 'api, worker and web meet over HTTP, Redis and object keys'),
    between('web-is-alone', '^web/', '^(api|worker)/', 'api, worker and web meet over HTTP, Redis and object keys'),
    between(
      'platform-knows-no-capability',
      '^api/src/platform/',
      '^api/src/(?!platform/)',
      'platform is below every capability',
    ),
    between(
      'ui-is-dumb',
      '^web/app/ui/',
      '^web/app/(features|session|http/.*\\.server)',
      'the design system fetches nothing and knows no feature',
    ),
    between(
      'features-know-no-root',
      '^web/app/features/',
      '^web/app/(routes|root|modals|entry)\\.',
      'the tables of routes and modals assemble features, not the reverse',
    ),
    between(
      'routes-are-pages',
      '^web/',
      '\\.route\\.tsx?$',
      'only the table of routes names a page; what pages share is a module',
    ),
    between(
      'shared-code-knows-no-feature',
      '^web/app/(?!features/|(root|modals|entry)\\.)',
      '^web/app/features/',
      'what features share is below them',
    ),
    {
      name: 'stripe-only-in-its-adapter',
      severity: 'error',
      from: { path: '^(api|sandbox|web|worker)/src/', pathNot: '^api/src/providers/stripe/' },
      to: { path: 'node_modules/stripe/' },
    },
    {
      name: 'paypal-sdk-in-one-file',
      severity: 'error',
      from: {
        path: '^(api|sandbox|web|worker)/src/',
        pathNot: '^api/src/providers/paypal/paypal-client\\.ts$',
      },
      to: { path: 'node_modules/@paypal/' },
    },
    {
      name: 'bullmq-only-in-runs',
      severity: 'error',
      from: { path: '^api/src/', pathNot: '^api/src/runs/' },
      to: { path: 'node_modules/bullmq' },
    },
    {
      name: 'no-dev-dependency-in-product',
      severity: 'error',
      from: { path: '^(contract|runtime|api|worker)/src', pathNot: '\\.test\\.ts$|/test/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|build|node_modules/\\.)|\\.test\\.tsx?$|/test/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
