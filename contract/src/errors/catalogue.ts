/**
 * Errors of the API: a stable dotted code, its HTTP status and title, whether a client should retry and whether an
 * operator is alerted.
 *
 * 400 malformed; 401 no or bad token; 402 an export or credit is missing; 403 plan, country, flag or password; 404
 * unknown or not the caller's; 405 a method that the address doesn't have; 409 wrong state; 410 expired; 413 too many
 * bytes; 415 bytes of no accepted type; 422 well-formed but unacceptable; 429 too often; 503 a dependency is down.
 */
export interface ErrorEntry {
  readonly status: number;
  readonly title: string;
  /** The same request may succeed later. A 429 or 503 response then carries `Retry-After`. */
  readonly retryable: boolean;
  /** Logged as an error: a fault of the server. */
  readonly report: boolean;
}

const clientError = (status: number, title: string): ErrorEntry => ({ status, title, retryable: false, report: false });
const transient = (status: number, title: string): ErrorEntry => ({ status, title, retryable: true, report: false });
const serverError = (status: number, title: string): ErrorEntry => ({ status, title, retryable: true, report: true });

/** Every `error_code`. Titles are English, for clients and logs; pages show the text of {@link messageKeyOf}. */
export const ERRORS = {
  'request.malformed': clientError(400, "The request couldn't be read"),
  'request.invalid': clientError(422, 'The request is well-formed but not valid'),
  'request.unknown_parameter': clientError(422, 'The request has parameters that are unknown'),
  'request.not_found': clientError(404, 'Not found'),
  'request.method_not_allowed': clientError(405, "This method isn't available at this address"),
  'request.too_large': clientError(413, 'The request body is too large'),
  'request.unsupported_media_type': clientError(415, "This content type isn't supported"),
  'request.rate_limited': transient(429, 'Too many requests'),
  'service.unavailable': transient(503, 'The service is unavailable'),
  'service.internal': serverError(500, 'Something went wrong on our side'),
  'service.country_blocked': clientError(403, "The service isn't available in your country"),
  'service.not_configured': serverError(503, 'This service has not been configured'),

  'users.not_authorized': clientError(401, 'A valid access token is required'),
  'users.identity_rejected': clientError(401, 'The identity token is invalid'),
  'users.not_a_guest': clientError(409, 'Only guests who have never logged in can do this'),
  'users.onboarding_not_found': clientError(404, 'Onboarding not found'),
  'users.onboarding_used': clientError(409, 'This onboarding has already been used'),
  'users.onboarding_own': clientError(409, 'This onboarding already belongs to your account'),
  'users.onboarding_logged_in': clientError(409, 'This onboarding belongs to an account that has logged in'),

  'plugin_keys.not_permitted': clientError(403, "This key doesn't permit this request"),
  'plugin_keys.scope_missing': clientError(403, 'This key lacks the scope that the request needs'),
  'plugin_keys.live_required': clientError(403, 'Test keys are for pictures only: use a live key'),
  'plugin_keys.expired': clientError(401, 'This key has expired: create another one in your account'),
  'plugin_keys.month_exhausted': transient(429, 'The monthly limit of this key is used up: raise it in your account'),
  'plugin_keys.test_exhausted': transient(429, "Today's pictures of your test keys are used up: use a live key"),
  'plugin_keys.required': clientError(403, 'Only a plug-in key can do this'),
  'plugin_keys.not_in_plan': clientError(403, "Plug-in keys aren't part of your plan"),
  'plugin_keys.not_found': clientError(404, 'Key not found'),
  'plugin_keys.end_in_past': clientError(422, 'A key must end in the future'),
  'plugin_keys.limit_reached': clientError(409, 'Plug-in key limit reached'),
  'plugin_keys.device_mismatch': clientError(409, 'This key belongs to another device'),

  'webhook_endpoints.not_in_plan': clientError(403, "Webhooks aren't part of your plan"),
  'webhook_endpoints.not_found': clientError(404, 'Endpoint not found'),
  'webhook_endpoints.limit_reached': clientError(409, 'Endpoint limit reached'),
  'webhook_endpoints.disabled': clientError(409, 'This endpoint is switched off'),
  'webhook_deliveries.not_found': clientError(404, 'Delivery not found'),
  'upload_tokens.expired': clientError(401, 'This upload token has expired'),
  'upload_tokens.used': clientError(409, 'This upload token has already been used'),
  'upload_tokens.wrong_origin': clientError(403, 'This upload token is for pages of another origin'),

  'sandbox.account_exists': clientError(409, 'This email address uses another login provider'),
  'sandbox.credential_in_use': clientError(409, 'This login belongs to another account'),
  'sandbox.real_card_refused': clientError(422, 'The sandbox accepts test cards only'),
  'sandbox.event_not_found': clientError(404, 'Event not found'),
  'sandbox.email_in_use': clientError(409, 'This email address belongs to another account'),

  'captcha.failed': clientError(403, 'The captcha failed'),
  'secret_menu.password_incorrect': clientError(403, 'The secret menu password is incorrect'),
  'secret_menu.subscribed': clientError(409, "A subscribed account can't be made free"),

  'experiments.not_found': clientError(404, 'Experiment not found'),
  'experiments.segment_unknown': clientError(422, 'Segment not found'),

  'picture_links.not_found': clientError(404, 'This link has expired or is incorrect'),

  'prices.not_found': clientError(404, 'Price not found'),
  'prices.not_for_sale': clientError(422, "This price can't be bought this way"),
  'billing.country_blocked': clientError(403, "Web subscriptions aren't available in your country"),
  'billing.not_offered': clientError(403, "This isn't available right now"),
  'billing.login_required': clientError(403, 'Log in to buy this'),
  'billing.exports_mismatch': clientError(422, "The number of downloads doesn't match the price"),
  'billing.forfeit_unconfirmed': clientError(409, 'The loss of the remaining downloads must be confirmed'),
  'billing.trial_unavailable': clientError(409, "A free trial isn't available to you"),
  'billing.intro_unavailable': clientError(409, "The intro offer isn't available to you"),
  'billing.code_invalid': clientError(403, 'The code is wrong, used or expired'),
  'payments.not_found': clientError(404, 'Payment not found'),
  'payments.not_paid': clientError(409, "The payment hasn't succeeded"),
  'payments.mismatch': clientError(422, "The payment doesn't match the order"),
  'payments.duplicate': clientError(409, 'This photo was already paid for; this payment is refunded'),
  'payments.declined': clientError(402, 'The payment was declined'),
  'payments.method_not_usable': clientError(422, "This payment method can't be used"),
  'subscriptions.not_found': clientError(404, 'Subscription not found'),
  'subscriptions.exists': clientError(409, 'A subscription already exists'),
  'subscriptions.managed_elsewhere': clientError(409, 'This subscription is managed in the mobile app'),
  'subscriptions.not_restartable': clientError(409, "This subscription can't be restarted"),
  'subscriptions.not_upgradable': clientError(409, "This subscription can't be upgraded"),
  'gift_codes.not_found': clientError(404, 'Gift code not found'),
  'gift_codes.used': clientError(409, 'This gift code has already been used'),
  'gift_codes.expired': clientError(409, 'This gift code has expired'),
  'mobile.not_found': clientError(404, 'Mobile account not found'),
  'mobile.already_linked': clientError(409, 'This mobile account is already linked'),
  'outputs.preview_only': clientError(409, 'This result is a preview'),
  'exports.insufficient': clientError(402, 'No downloads are left'),
  'exports.already_unlocked': clientError(409, 'This photo has already been paid for'),
  'exports.untouched': clientError(409, 'This photo was left as it is: its download is free'),
  'exports.test_picture': clientError(409, 'A test key made this photo: upload it again to pay for it'),
  'videos.not_in_plan': clientError(403, "Videos aren't part of your plan"),
  'videos.limit_reached': clientError(403, "Your plan's video limit is reached"),
  'videos.unavailable': transient(503, "Videos can't be enhanced right now"),
  'videos.failed': serverError(500, "The video couldn't be processed"),
  'webhooks.signature_invalid': clientError(400, "The event's signature is invalid"),

  'idempotency.key_invalid': clientError(400, 'The Idempotency-Key header is invalid'),
  'idempotency.key_reused': clientError(422, 'This Idempotency-Key was used with another request'),
  'idempotency.answer_expired': clientError(410, "The stored response for this Idempotency-Key can't be read"),
  'idempotency.in_progress': transient(409, 'The first request with this Idempotency-Key is still running'),

  'pipeline.not_in_plan': clientError(403, "This tool isn't part of your plan"),
  'outputs.format_not_in_plan': clientError(403, "This output format isn't part of your plan"),
  'outputs.format_not_available': clientError(422, "This output format isn't available"),
  'batch.not_in_plan': clientError(403, "Batch processing isn't part of your plan"),
  'batch.too_many_files': clientError(422, 'Too many files for one upload'),

  'bulk_uploads.not_found': clientError(404, 'Upload not found'),
  'bulk_uploads.already_processed': clientError(409, 'This upload has already been processed'),

  'uploads.not_found': clientError(404, 'Upload not found'),
  'uploads.url_invalid': clientError(403, 'This upload URL is invalid'),
  'uploads.url_expired': clientError(403, 'This upload URL has expired'),
  'uploads.expired': clientError(410, 'The upload URL expired before a file was uploaded'),
  'uploads.wrong_offset': clientError(409, "The offset doesn't match the bytes received"),
  'uploads.closed': clientError(409, 'This upload is already complete'),
  'uploads.missing': clientError(409, 'Nothing has been uploaded'),
  'uploads.empty': clientError(422, 'The uploaded file is empty'),
  'uploads.incomplete': clientError(422, 'The upload was interrupted'),
  'uploads.size_mismatch': clientError(422, "The uploaded file doesn't have the declared size"),
  'uploads.checksum_mismatch': clientError(422, "The uploaded file doesn't match the declared checksum"),
  'uploads.too_large': clientError(413, 'The file is too large'),
  'uploads.too_many_pixels': clientError(422, 'The photo has too many pixels'),
  'uploads.unsupported_type': clientError(415, "This media type isn't accepted"),
  'uploads.undecodable': clientError(422, "The file is damaged and can't be decoded"),
  'uploads.layers_only': clientError(422, 'The Photoshop document has no merged image'),
  'uploads.address_refused': clientError(422, "This address isn't allowed"),
  'uploads.address_unreachable': transient(422, "The file at this address can't be fetched"),

  'masks.not_gray': clientError(422, 'The mask must be a PNG in 8-bit gray'),
  'masks.size_mismatch': clientError(422, "The mask doesn't have the size of the photo"),
  'masks.all_black': clientError(422, 'The mask is all black: it would leave the whole photo as it is'),
  'masks.undecodable': clientError(422, "The mask is damaged and can't be decoded"),

  'media.not_found': clientError(404, 'File not found'),
  'media.url_invalid': clientError(403, 'This URL is invalid'),
  'media.url_expired': clientError(403, 'This URL has expired'),
  'media.range_invalid': clientError(416, "The requested range isn't satisfiable"),

  'tasks.not_found': clientError(404, 'Task not found'),
  'tasks.wrong_state': clientError(409, "The task's state doesn't allow this"),
  'tasks.failed': serverError(500, "The photo couldn't be processed"),
  'tasks.timed_out': serverError(500, 'Processing took too long'),
  'tasks.disk_full': serverError(500, 'A server has no space left'),
  'sharings.not_found': clientError(404, 'The link is either expired or incorrect'),
  'sharings.expired': clientError(410, 'The link is either expired or incorrect'),
  'queue.full': transient(503, 'Too many photos and videos are waiting'),
} as const satisfies Record<string, ErrorEntry>;

/** `error_code` of a problem response. */
export type ErrorCode = keyof typeof ERRORS;

/** False for codes of other versions of the product. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

const DEFAULT_RETRY_SECONDS = 5;

/** `Retry-After` of a response that names no other time; undefined where the header has no place. */
export const defaultRetrySecondsOf = (code: ErrorCode): number | undefined =>
  [429, 503].includes(ERRORS[code].status) ? DEFAULT_RETRY_SECONDS : undefined;

/** Key of the visitor-facing text, in the locale section `common`. */
export const messageKeyOf = (code: ErrorCode): string => `errors.${code}`;
