/** Which way things may point. The rooms and arrows are those of docs/decisions/0001-rooms-and-arrows.md. */
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
    {
      name: 'contract-is-pure',
      comment: 'contract imports zod and nothing else: no IO, no environment',
      severity: 'error',
      from: { path: '^contract/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^contract/src', 'node_modules/zod/'] },
    },
    between('api-is-alone', '^api/', '^(web|worker)/', 'api, worker and web meet over HTTP, Redis and object keys'),
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
      '^web/app/(features|routes|api\\.server)',
      'the design system fetches nothing and knows no feature',
    ),
    between('features-know-no-route', '^web/app/features/', '^web/app/routes/', 'routes use features, not the reverse'),
    {
      name: 'bullmq-only-in-queue',
      severity: 'error',
      from: { path: '^api/src/', pathNot: '^api/src/queue/' },
      to: { path: 'node_modules/bullmq' },
    },
    {
      name: 'no-dev-dependency-in-product',
      severity: 'error',
      from: { path: '^(contract|api|worker)/src', pathNot: '\\.test\\.ts$|/test/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|build|node_modules/\\.)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
