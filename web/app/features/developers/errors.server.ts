import { accessTo, ERRORS, type ErrorCode, ROUTES } from '@clearframe/contract';

/** What to do, where the title and status alone don't say it. */
const REMEDIES: Partial<Readonly<Record<ErrorCode, string>>> = {
  'request.unknown_parameter': 'Correct or remove the names in `details`; nothing was made.',
  'request.rate_limited': 'Wait for the seconds in `Retry-After`, then send fewer requests at a time.',
  'request.method_not_allowed': 'Use a method of the header `Allow`.',
  'users.not_authorized': 'Send a valid key as `X-Api-Key`; a revoked one never works again.',
  'plugin_keys.not_permitted':
    'Use an operation that the [reference](/developers/reference) lists; for others, sign in.',
  'plugin_keys.not_in_plan': 'Renew Business: the same key works again. Test keys need no plan.',
  'plugin_keys.scope_missing': 'Use a key with the scope named in `details`.',
  'plugin_keys.live_required': 'Use a live key: test keys have no videos.',
  'plugin_keys.test_exhausted': 'Wait for `details.resets_at`, or use a live key.',
  'plugin_keys.device_mismatch': 'Send the `X-Device-Id` that the key was activated with, or create another key.',
  'pipeline.not_in_plan': 'Leave out the tool or model named in `details`, or change the plan.',
  'outputs.format_not_in_plan': 'Ask for `jpeg`, or change the plan.',
  'outputs.format_not_available':
    'Ask for `png`, `jpeg`, `tiff`, `psd` or `photoshop-tiff`, JPEG with quality 90 or 100.',
  'outputs.preview_only': 'Process the picture without `preview` first.',
  'exports.insufficient': 'Buy downloads or change the plan; the result stays ready.',
  'exports.untouched': 'Download it: there is nothing to pay.',
  'uploads.too_large': 'Send a file within the [limits](/developers/limits#files).',
  'uploads.too_many_pixels': 'Reduce the picture to the [limits](/developers/limits#files).',
  'uploads.unsupported_type': 'Convert the file; the bytes decide, not the name.',
  'uploads.undecodable': 'Open and save the picture again: its data is damaged.',
  'uploads.layers_only': 'Save the document with maximum compatibility.',
  'uploads.empty': 'Send the bytes of the file.',
  'uploads.incomplete': 'Send the whole file again.',
  'uploads.expired': 'Ask for a new address with `POST /tasks/{task_id}/upload`.',
  'uploads.url_expired': 'Ask for a new address with `POST /tasks/{task_id}/upload`.',
  'uploads.missing': 'Send the file to its `upload_url` first.',
  'uploads.wrong_offset': 'Ask for the offset with HEAD and continue there.',
  'uploads.checksum_mismatch': 'Send the file again: it was damaged on its way.',
  'uploads.size_mismatch': 'Send the file that was announced, or announce it anew.',
  'idempotency.key_reused': 'Use a new key for another request.',
  'idempotency.in_progress': 'Wait a second and repeat the same request.',
  'idempotency.answer_expired': 'Look the result up with `GET /tasks`.',
  'tasks.wrong_state': 'Read the task: its `status` says what is possible now.',
  'tasks.failed': 'Try again with `POST /tasks/reprocess`; if it fails again, send us the `request_id`.',
  'uploads.address_refused': 'Use an https address of the public internet, also after redirects.',
  'uploads.address_unreachable':
    'The host must answer 200 within three redirects, soon and fast enough; `details.status` is its answer. Or send the bytes.',
  'upload_tokens.expired': 'Create another token.',
  'upload_tokens.wrong_origin': 'Create a token for pages of this origin.',
  'upload_tokens.used': 'Create another token: each sends one picture.',
  'batch.too_many_files': 'Split the pictures into several uploads.',
  'queue.full': 'Wait for the seconds in `Retry-After`; your waiting pictures keep their place.',
  'service.internal': 'Repeat the request once; then send us the `request_id`.',
  'videos.limit_reached': 'Shorten the video, or wait for next Monday.',
};

function remedyOf(code: ErrorCode): string {
  const { status, retryable } = ERRORS[code];
  const known = REMEDIES[code];
  if (known) return known;
  if (retryable) return 'Wait for `Retry-After`, or a second, and repeat the request.';
  if (status === 404) return 'Check the id: it is unknown, deleted, or belongs to another account.';
  return 'Change the request as the title and `details` say.';
}

/** Errors of every operation, whatever its own are. */
const COMMON = [
  'request.malformed',
  'request.invalid',
  'request.unknown_parameter',
  'request.not_found',
  'request.method_not_allowed',
  'request.too_large',
  'request.unsupported_media_type',
  'request.rate_limited',
  'users.not_authorized',
  'plugin_keys.not_permitted',
  'plugin_keys.not_in_plan',
  'plugin_keys.device_mismatch',
  'idempotency.key_invalid',
  'idempotency.key_reused',
  'idempotency.in_progress',
  'idempotency.answer_expired',
  'service.unavailable',
  'service.internal',
] as const satisfies readonly ErrorCode[];

/** Codes that a request with a key can get. */
export const KEY_ERRORS: readonly ErrorCode[] = [
  ...new Set<ErrorCode>([
    ...COMMON,
    ...ROUTES.filter((route) => accessTo(route).keyScope !== null).flatMap(({ errors }) => errors),
  ]),
];

/** The codes by status, each with its title and remedy. */
export function errorTable(): string {
  const statuses = [...new Set(KEY_ERRORS.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return statuses
    .map((status) =>
      [
        `### ${status}\n`,
        '| `error_code` | Meaning | What to do |',
        '| --- | --- | --- |',
        ...KEY_ERRORS.filter((code) => ERRORS[code].status === status).map(rowOf),
      ].join('\n'),
    )
    .join('\n\n');
}

const rowOf = (code: ErrorCode): string => `| \`${code}\` | ${ERRORS[code].title} | ${remedyOf(code)} |`;
