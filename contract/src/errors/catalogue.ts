/**
 * Every error of the API: a stable dotted code, its HTTP status, a title, and whether a client should retry or an operator
 * be alerted.
 *
 * Statuses follow one rule for all codes: 400 malformed; 401 no or bad token; 402 an export or credit is missing;
 * 403 plan, country, flag or password; 404 unknown or not yours; 409 wrong state; 410 expired; 413 too many bytes;
 * 415 bytes of no accepted type; 422 well-formed but unacceptable; 429 too often; 503 a dependency is down.
 */
export interface ErrorEntry {
  readonly status: number;
  readonly title: string;
  /** The same request may succeed later. Responses with status 429 or 503 then carry `Retry-After`. */
  readonly retryable: boolean;
  /** Logged as an error: the fault is ours, not the caller's. */
  readonly report: boolean;
}

const fault = (status: number, title: string): ErrorEntry => ({ status, title, retryable: false, report: false });
const passing = (status: number, title: string): ErrorEntry => ({ status, title, retryable: true, report: false });
const ours = (status: number, title: string): ErrorEntry => ({ status, title, retryable: true, report: true });

export const ERRORS = {
  'request.malformed': fault(400, 'The request could not be read'),
  'request.invalid': fault(422, 'The request is well-formed but not acceptable'),
  'request.not_found': fault(404, 'There is nothing at this address'),
  'request.too_large': fault(413, 'The request body is too large'),
  'request.unsupported_media_type': fault(415, 'The request body has a content type this address does not take'),
  'request.rate_limited': passing(429, 'Too many requests'),
  'service.unavailable': passing(503, 'The service is not available right now'),
  'service.internal': ours(500, 'Something went wrong on our side'),
  'service.not_configured': ours(503, 'This service has not been configured'),

  'users.not_authorized': fault(401, 'A valid access token is needed'),
  'users.identity_rejected': fault(401, 'The identity token is not valid'),
  'users.not_a_guest': fault(409, 'Only a guest who has never logged in can do this'),
  'users.onboarding_not_found': fault(404, 'There is no such onboarding'),
  'users.onboarding_used': fault(409, 'This onboarding has been taken over already'),
  'users.onboarding_own': fault(409, 'This onboarding is your own'),
  'users.onboarding_logged_in': fault(409, 'Whoever began this onboarding has logged in since'),

  'plugin_keys.not_permitted': fault(403, 'This key does not permit this request'),

  'sandbox.account_exists': fault(409, 'This e-mail address has signed in by another provider'),
  'sandbox.credential_in_use': fault(409, 'This sign-in belongs to another account'),
  'sandbox.real_card_refused': fault(422, 'The sandbox takes test cards only'),
  'sandbox.event_not_found': fault(404, 'There is no such event'),
  'sandbox.email_in_use': fault(409, 'This e-mail address belongs to another account'),

  'captcha.failed': fault(403, 'The captcha was not passed'),
  'secret_menu.password_incorrect': fault(403, 'The secret menu password is incorrect'),
  'secret_menu.subscribed': fault(409, 'Who is subscribed cannot be made free'),

  'picture_links.not_found': fault(404, 'This link has expired or is incorrect'),

  'prices.not_found': fault(404, 'There is no such price'),
  'prices.not_for_sale': fault(422, 'This price cannot be bought this way'),
  'billing.country_blocked': fault(403, 'Web subscriptions are not available in your country'),
  'billing.not_offered': fault(403, 'This is not offered at the moment'),
  'billing.login_required': fault(403, 'You need to log in to buy this'),
  'billing.exports_mismatch': fault(422, 'The number of downloads is not that of the price'),
  'billing.forfeit_unconfirmed': fault(409, 'Downloads that you still have would be lost'),
  'billing.trial_unavailable': fault(409, 'A free trial is not available to you'),
  'billing.intro_unavailable': fault(409, 'The intro offer is not available to you'),
  'billing.code_invalid': fault(403, 'The code is wrong, used or over'),
  'payments.not_found': fault(404, 'There is no such payment'),
  'payments.not_paid': fault(409, 'The payment has not succeeded'),
  'payments.mismatch': fault(422, 'The payment is not what was asked for'),
  'payments.declined': fault(402, 'The payment was declined'),
  'payments.method_not_usable': fault(422, 'This payment method cannot be used'),
  'subscriptions.not_found': fault(404, 'There is no such subscription'),
  'subscriptions.exists': fault(409, 'There is a subscription already'),
  'subscriptions.managed_elsewhere': fault(409, 'This subscription is managed in the mobile app'),
  'subscriptions.not_restartable': fault(409, 'This subscription cannot be restarted'),
  'subscriptions.not_upgradable': fault(409, 'This subscription cannot be upgraded'),
  'gift_codes.not_found': fault(404, 'There is no such gift code'),
  'gift_codes.used': fault(409, 'This gift code has been used'),
  'gift_codes.expired': fault(409, 'This gift code is over'),
  'mobile.not_found': fault(404, 'There is no such mobile account'),
  'mobile.already_linked': fault(409, 'This mobile account is linked already'),
  'outputs.preview_only': fault(409, 'This result is a preview'),
  'exports.insufficient': fault(402, 'No downloads are left'),
  'exports.already_unlocked': fault(409, 'This picture has been paid for'),
  'videos.not_in_plan': fault(403, 'Videos are not part of your plan'),
  'videos.limit_reached': fault(403, 'The limit of your plan is reached'),
  'webhooks.signature_invalid': fault(400, 'The signature of this event is not valid'),

  'idempotency.key_invalid': fault(400, 'The Idempotency-Key header is not usable'),
  'idempotency.key_reused': fault(422, 'This Idempotency-Key belongs to another request'),
  'idempotency.in_progress': passing(409, 'The first request with this Idempotency-Key is still running'),

  'pipeline.not_in_plan': fault(403, 'This tool is not part of your plan'),
  'outputs.format_not_in_plan': fault(403, 'This output format is not part of your plan'),
  'outputs.format_not_available': fault(422, 'This output format does not exist'),
  'batch.not_in_plan': fault(403, 'Batch processing is not part of your plan'),
  'batch.too_many_files': fault(422, 'Too many files for one upload'),

  'bulk_uploads.not_found': fault(404, 'There is no such upload'),
  'bulk_uploads.already_processed': fault(409, 'This upload has been processed already'),

  'uploads.not_found': fault(404, 'There is no such upload'),
  'uploads.url_invalid': fault(403, 'This upload address is not valid'),
  'uploads.url_expired': fault(403, 'This upload address has expired'),
  'uploads.expired': fault(410, 'The upload address expired before a file was uploaded'),
  'uploads.closed': fault(409, 'This upload takes no more bytes'),
  'uploads.missing': fault(409, 'Nothing has been uploaded'),
  'uploads.empty': fault(422, 'The uploaded file is empty'),
  'uploads.incomplete': fault(422, 'The upload was cut off'),
  'uploads.size_mismatch': fault(422, 'The uploaded file has another size than was declared'),
  'uploads.checksum_mismatch': fault(422, 'The uploaded file is not the one that was declared'),
  'uploads.too_large': fault(413, 'The file is too large'),
  'uploads.too_many_pixels': fault(422, 'The picture has too many pixels'),
  'uploads.unsupported_type': fault(415, 'The bytes are of no accepted media type'),
  'uploads.undecodable': fault(422, 'The file is damaged and cannot be decoded'),

  'media.not_found': fault(404, 'There is no such file'),
  'media.url_invalid': fault(403, 'This address is not valid'),
  'media.url_expired': fault(403, 'This address has expired'),
  'media.range_invalid': fault(416, 'The requested range cannot be served'),

  'tasks.not_found': fault(404, 'There is no such task'),
  'tasks.wrong_state': fault(409, 'The task is in another state'),
  'tasks.failed': ours(500, 'The picture could not be processed'),
  'tasks.timed_out': ours(500, 'Processing took too long'),
  'queue.full': passing(503, 'Too many pictures are waiting'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** True for a string that is one of our codes. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** The key of the message that explains a code to a visitor, in the section `common`. */
export const messageKeyOf = (code: ErrorCode): string => `errors.${code}`;
