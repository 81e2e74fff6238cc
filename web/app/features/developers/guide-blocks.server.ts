import {
  BackgroundEnhance,
  BOKEH_PRESETS,
  ColorEnhance,
  extensionOf,
  FaceEnhance,
  FaceLifting,
  Fade,
  FINAL_STATUSES,
  IMAGE_CONTENT_TYPES,
  IMAGE_LIMITS,
  inSeconds,
  LIFETIMES,
  MAX_FILES_PER_KEY_UPLOAD,
  MAX_WAIT_SECONDS,
  megabytes,
  megapixels,
  OUTPUT_MAX_SIDE,
  PERIODS,
  PLUGIN_KEYS_MAX,
  pathOf,
  planPriceOf,
  RESUMABLE_OVER_BYTES,
  ROUTES,
  SHARING_DAYS,
  type TaskStatus,
  TEST_PICTURES_PER_DAY,
  UPLOAD_TOKEN_SECONDS,
  VIDEO_LIMITS,
  WEBHOOK_TIMES,
  WEEKS_PER_PERIOD,
} from '@clearframe/contract';
import { errorTable } from './errors.server';
import type { ServerLimits } from './reference.server';
import { labeledSnippets } from './snippets.server';

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const MODELS: Readonly<Record<string, readonly string[]>> = {
  face_enhance: FaceEnhance.shape.model.options,
  face_lifting: FaceLifting.shape.model.options,
  background_enhance: BackgroundEnhance.shape.model.options,
  bokeh: Object.keys(BOKEH_PRESETS),
  fade: Fade.shape.model.options,
  color_enhance: ColorEnhance.shape.model.options,
};

function models(tool: string): string {
  const names = MODELS[tool];
  if (!names) throw new Error(`the guide names an unknown tool: ${tool}`);
  return `Models: ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

const FINAL_STATUS_MEANINGS: Readonly<Record<string, readonly [meaning: string, next: string]>> = {
  completed: ['The result is ready.', 'Download `output_url`.'],
  exported: ['The same, and its download has been used.', 'Download `output_url`, in every format.'],
  failed: [
    'It could not be processed. Nothing is charged.',
    '`error_code` says why; the original is kept for `POST /tasks/reprocess`.',
  ],
  invalid: ['The file was refused or never arrived.', '`error_code` says why; send another file.'],
  cancelled: ['You cancelled it before it was done.', 'Nothing: its files are deleted.'],
};

function meaningOf(status: TaskStatus): readonly [string, string] {
  const meaning = FINAL_STATUS_MEANINGS[status];
  if (!meaning) throw new Error(`the guide explains no status ${status}`);
  return meaning;
}

/** What each limit of requests counts; those of pages and staff have no line. */
const RATE_MEANINGS: Readonly<Record<string, string>> = {
  reads: 'requests that read: tasks, usage, the account',
  writes: 'requests that create, change or delete',
  analyses: '`POST /analyze`, also by network',
  logins: '`POST /plugin-keys/activate`',
};

const LONG_DAYS = inSeconds.days(2);

const lengthOf = (seconds: number): string => {
  if (seconds >= LONG_DAYS && seconds % inSeconds.days(1) === 0) return `${seconds / inSeconds.days(1)} days`;
  if (seconds % inSeconds.hours(1) === 0)
    return seconds === inSeconds.hours(1) ? 'an hour' : `${seconds / inSeconds.hours(1)} hours`;
  if (seconds % inSeconds.minutes(1) === 0)
    return seconds === inSeconds.minutes(1) ? 'a minute' : `${seconds / inSeconds.minutes(1)} minutes`;
  return `${seconds} seconds`;
};

function lifetime(name: string): string {
  if (!(name in LIFETIMES)) throw new Error(`the guide names an unknown lifetime: ${name}`);
  return lengthOf(LIFETIMES[name as keyof typeof LIFETIMES]);
}

const list = new Intl.ListFormat('en');

function webhookTimes(name: string): string {
  if (!(name in WEBHOOK_TIMES)) throw new Error(`the guide names an unknown time of webhooks: ${name}`);
  const times = WEBHOOK_TIMES[name as keyof typeof WEBHOOK_TIMES];
  return typeof times === 'number' ? lengthOf(times) : list.format(times.map(lengthOf));
}

function rates({ rates: byName, waiting_pictures: waiting }: ServerLimits): string {
  const rows = Object.entries(RATE_MEANINGS).flatMap(([name, meaning]) => {
    const rate = byName[name];
    return rate ? [[`\`${name}\``, `${count.format(rate.requests)} in ${lengthOf(rate.seconds)}`, meaning]] : [];
  });
  return `${table(['Limit', 'Requests of an account', 'Counts'], rows)}\n\nUp to ${count.format(waiting)} pictures of an account wait at once.`;
}

const count = new Intl.NumberFormat('en');
const business = VIDEO_LIMITS.business;
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });

/** Parts of the guide that follow from the contract, as Markdown, by the name in `{{name argument}}`. */
export const GUIDE_BLOCKS: Readonly<Record<string, (argument: string, limits: ServerLimits | null) => string>> = {
  snippet: labeledSnippets,
  models,
  errors: errorTable,
  deprecated: () => {
    const routes = ROUTES.filter(({ deprecated }) => deprecated);
    if (routes.length === 0) return 'Nothing is deprecated today.';
    return table(
      ['Operation', 'Deprecated', 'Ends'],
      routes.map((route) => [
        `\`${route.method} ${pathOf(route)}\``,
        route.deprecated?.since ?? '',
        route.deprecated?.sunset ?? '',
      ]),
    );
  },
  rates: (_argument, limits) => (limits ? rates(limits) : 'Each answer names its limit in `RateLimit-Policy`.'),
  testPictures: () => String(TEST_PICTURES_PER_DAY),
  tokenSeconds: (which) => count.format(UPLOAD_TOKEN_SECONDS[which === 'min' || which === 'max' ? which : 'usual']),
  keysMax: () => String(PLUGIN_KEYS_MAX),
  maxWait: () => String(MAX_WAIT_SECONDS),
  lifetime,
  webhooks: webhookTimes,
  sharingDays: () => String(SHARING_DAYS),
  resumableOver: () => `${RESUMABLE_OVER_BYTES / megabytes(1)} MB`,
  fileLimits: () =>
    table(
      ['', 'Pictures', 'Videos (Business)'],
      [
        ['formats', [...new Set(IMAGE_CONTENT_TYPES.map(extensionOf))].join(', '), 'mp4, mov'],
        ['size of a file', `${IMAGE_LIMITS.maxBytes / megabytes(1)} MB`, `${business.maxSizeMb} MB`],
        ['extent', `${IMAGE_LIMITS.maxPixels / megapixels(1)} megapixels`, `${business.maxLength} seconds`],
        ['in one upload', `${MAX_FILES_PER_KEY_UPLOAD} files`, 'one file'],
        ['in a week', 'no limit', `${business.maxPeriodSizeMb} MB and ${business.maxPeriodLength} seconds`],
      ],
    ),
  outputSize: () =>
    `The longest side of a result is at most ${OUTPUT_MAX_SIDE} pixels. With the Business plan, \`"output_size": "original"\` gives it the size of the original, or enlarges it up to ${IMAGE_LIMITS.maxPixels / megapixels(1)} megapixels. Small pictures are enlarged, up to four times, unless \`upscale\` says otherwise.`,
  statuses: () =>
    table(
      ['`status`', 'Meaning', 'Next'],
      FINAL_STATUSES.map((status) => [`\`${status}\``, ...meaningOf(status)]),
    ),
  prices: () =>
    table(
      ['Billed every', 'Price', 'Downloads'],
      PERIODS.map((period) => {
        const { amountCents, exports } = planPriceOf('business', period, 'usd');
        const weeks = WEEKS_PER_PERIOD[period];
        return [weeks === 1 ? 'week' : `${weeks} weeks`, dollars.format(amountCents / 100), exports ?? 'unlimited'];
      }),
    ),
};
