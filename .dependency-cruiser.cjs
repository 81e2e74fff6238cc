/** Allowed imports; see docs/decisions/0001-packages-and-arrows.md. */
const between = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: to },
});

/**
 * The folders of a room, lowest layer first. A folder imports from itself
 * and earlier lines only, so there are no circles. List a new folder as early as its imports allow. '.': files of the
 * room itself, on top if absent.
 */
const LAYERS = {
  'api/src': [
    ['migrations', 'platform'],
    ['identity'],
    ['runs', 'users'],
    ['mail', 'support', 'tasks'],
    ['billing'],
    ['settings', 'videos'],
    ['app'],
  ],
  'api/src/billing': [
    ['providers'],
    ['account'],
    ['catalogue', 'mail'],
    ['sync'],
    ['purchases'],
    ['subscriptions'],
    ['gift-codes', 'mobile', 'personal-data', 'reconciliation'],
  ],
  'api/src/billing/account': [['state'], ['.'], ['video-allowance']],
  'api/src/billing/reconciliation': [['.'], ['webhooks']],
  'api/src/billing/subscriptions': [['.'], ['upgrades']],
  'api/src/billing/providers': [['port'], ['stripe', 'paypal'], ['sandbox']],
  'sandbox/src': [['core'], ['stripe', 'paypal'], ['pages'], ['identity', 'mail', 'mobile', 'captcha', 'zendesk']],
  'sandbox/src/paypal': [['model'], ['billing'], ['http']],
  'sandbox/src/stripe': [['model'], ['billing'], ['http']],
  'api/src/identity': [
    ['caller', 'provider'],
    ['firebase', 'sandbox', 'sessions'],
  ],
  'api/src/mail': [['content', 'sandbox']],
  'api/src/platform': [
    ['config', 'errors', 'flags', 'schedule'],
    ['crypto'],
    ['database', 'http', 'openapi'],
    ['monitoring', 'sandbox', 'storage'],
  ],
  'api/src/platform/http': [['.'], ['idempotency', 'rate-limits']],
  'api/src/platform/storage': [['disk']],
  'api/src/tasks': [
    ['records'],
    ['renditions'],
    ['presentation', 'processing'],
    ['lifecycle', 'looks', 'results', 'uploads'],
    ['enhance'],
    ['.'],
    ['sharings'],
  ],
  'api/src/runs': [['model'], ['queues', 'settlement'], ['dispatch']],
  'api/src/settings': [['payment-gate']],
  'api/src/support': [['desk'], ['sandbox', 'zendesk']],
  'api/src/users/staff': [['audit']],
  'worker/src': [
    ['config', 'image/metadata', 'rasters'],
    ['image/picture', 'monitoring', 'networks', 'tools/signal'],
    ['image/heif', 'image/jpeg', 'image/psd', 'image/tiff', 'tools/context'],
    ['image/decode', 'image/encode'],
    ['tools/restoration'],
    ['tools/bokeh', 'tools/color', 'tools/kept', 'tools/face/regions', 'tools/face/verification'],
    ['tools/background', 'tools/face/enhance', 'tools/face/skin'],
    ['tools/face/lifting'],
    ['tools/looks', 'tools/pipeline'],
    ['inference', 'jobs/handler'],
    ['video'],
    ['jobs/enhancer', 'jobs/video'],
    [
      'jobs/enhance-image',
      'jobs/enhance-video',
      'jobs/execution',
      'jobs/probe-video',
      'jobs/render-image',
      'jobs/render-looks',
      'jobs/render-share-preview',
    ],
    ['jobs/host'],
  ],
  'web/app': [['i18n', 'styles'], ['http', 'telemetry'], ['ui'], ['session'], ['features'], ['routes']],
  'web/app/features': [
    ['modals', 'settings'],
    ['telemetry'],
    ['gallery', 'identity', 'settings/secret-menu', 'upload'],
    ['account', 'shell'],
    ['billing'],
    ['help', 'identity/onboarding', 'tasks'],
    ['batch'],
  ],
  'web/app/features/account': [['view'], ['consent', 'erasure', 'plugin-key'], ['preferences'], ['panels']],
  'web/app/features/batch': [['view'], ['server'], ['grid', 'panel']],
  'web/app/features/billing': [
    ['forfeit', 'plans', 'trial'],
    ['payment', 'tiers'],
    ['offer', 'paywall', 'redeem', 'return', 'subscription'],
    ['checkout', 'subscription/upgrade'],
  ],
  'web/app/features/identity': [['client'], ['visitor'], ['login'], ['one-tap', 'sandbox'], ['onboarding']],
  'web/app/features/settings': [['captcha'], ['.'], ['secret-menu']],
  'web/app/features/shell': [['about', 'cookies', 'language'], ['header']],
  'web/app/features/tasks': [
    ['task', 'viewer'],
    ['filmstrip', 'sharing'],
    ['processing'],
    ['tools'],
    ['video'],
    ['history', 'result'],
    ['photo'],
  ],
  'web/app/features/tasks/result': [['download']],
  'web/app/features/tasks/tools': [
    ['choices'],
    ['view'],
    ['apply', 'looks'],
    ['controls', 'offers', 'results'],
    ['panel'],
  ],
  'web/app/features/upload': [['shared'], ['decision', 'transfers'], ['error', 'server'], ['drop'], ['home']],
  'web/app/telemetry': [['consent'], ['visit'], ['.'], ['third-parties']],
  'web/app/ui': [['content', 'page', 'picture'], ['toast'], ['controls'], ['modal', 'stage']],
  'web/server': [['config'], ['http']],
};

const OWN_FILES = '.';

const inFolders = (room, folders) => `^${room}/(${folders.map((folder) => inFolder(room, folder)).join('|')})`;

/** Without the folders within it that have a layer of their own. */
function inFolder(room, folder) {
  if (folder === OWN_FILES) return '[^/]+$';
  const inside = LAYERS[room].flat().filter((other) => other.startsWith(`${folder}/`));
  return inside.length === 0
    ? `${folder}/`
    : `${folder}/(?!(${inside.map((path) => path.slice(folder.length + 1)).join('|')})/)`;
}

/** Tests may import from higher layers. */
const layersOf = ([room, layers]) => [
  {
    name: `folder-without-layer (${room})`,
    comment: 'every folder has a place in LAYERS',
    severity: 'error',
    from: { path: `^${room}/[^/]+/`, pathNot: [inFolders(room, ['test', ...layers.flat()]), '\\.test\\.tsx?$'] },
    to: {},
  },
  ...layers.flatMap((folders, position) =>
    folders.map((folder) => ({
      name: `layers (${room}: ${folder})`,
      comment: 'a folder imports from its own folder and from lower layers',
      severity: 'error',
      from: { path: inFolders(room, [folder]), pathNot: '\\.test\\.tsx?$' },
      to: { path: `^${room}/`, pathNot: inFolders(room, [folder, ...layers.slice(0, position).flat()]) },
    })),
  ),
];

module.exports = {
  forbidden: [
    ...Object.entries(LAYERS).flatMap(layersOf),
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
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
      '^web/app/(features|routes|session|http/.*\\.server)',
      'the design system fetches nothing and knows no feature',
    ),
    between(
      'features-know-no-route',
      '^web/app/features/',
      '^web/app/(routes/|root\\.|features/modal-registry\\.|entry\\.)',
      'routes and the root assemble features, not the reverse',
    ),
    between(
      'shared-code-knows-no-feature',
      '^web/app/(?!(features|routes)/|(root|entry)\\.)',
      '^web/app/(features|routes)/',
      'what features share is below them',
    ),
    {
      name: 'stripe-only-in-its-adapter',
      severity: 'error',
      from: { path: '^(api|sandbox|web|worker)/src/', pathNot: '^api/src/billing/providers/stripe/' },
      to: { path: 'node_modules/stripe/' },
    },
    {
      name: 'paypal-sdk-in-one-file',
      severity: 'error',
      from: {
        path: '^(api|sandbox|web|worker)/src/',
        pathNot: '^api/src/billing/providers/paypal/paypal-client\\.ts$',
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
    exclude: { path: '(^|/)(dist|build|node_modules/\\.)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
