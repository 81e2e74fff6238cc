import type { RolledWebhookSecret, WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '@clearframe/contract';
import { dateFormat } from '@clearframe/contract/dates';
import { dateFormatterFor, type FormatDate } from '../../i18n/formatted-date';

export type EndpointView = ReturnType<typeof endpointViewOf>;

/** @param language BCP 47, for dates */
export function endpointViewOf(endpoint: WebhookEndpoint, language: string) {
  const { id, url, events, disabledReason, failingSince, previousSecretExpiresAt, createdAt } = endpoint;
  const formatDate = dateFormatterFor(language);
  const formatTime = timeFormatterFor(language);
  return {
    id,
    url,
    events,
    /** `on` and what has disabled it. */
    state: disabledReason ?? ('on' as const),
    /** While it is on; null: the last message was accepted. */
    failingSince: disabledReason === null && failingSince !== null ? formatTime(failingSince) : null,
    /** Until then its last secret signs, too; null: it doesn't. */
    overlapUntil: previousSecretExpiresAt && formatTime(previousSecretExpiresAt),
    createdAt: formatDate(createdAt),
  };
}

/** Attempts of deliveries are seconds apart. In UTC, as the timestamps of the messages. */
export function timeFormatterFor(language: string): FormatDate {
  const format = dateFormat(language, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  return (iso) => ({ iso, text: format(new Date(iso)) });
}

export type SecretView = ReturnType<typeof secretViewOf>;

/** @param url of the endpoint that was added; absent for a replaced secret */
export const secretViewOf = (
  { secret, previousSecretExpiresAt }: RolledWebhookSecret,
  language: string,
  url: string | null = null,
) => ({
  value: secret,
  url,
  /** Until then the secret before signs, too; null: there is none. */
  overlapUntil: previousSecretExpiresAt && timeFormatterFor(language)(previousSecretExpiresAt),
});

export type DeliveryView = ReturnType<typeof deliveryViewOf>;

export function deliveryViewOf(delivery: WebhookDelivery, formatTime: FormatDate, now = new Date()) {
  const { id, messageId, endpointId, url, type, status, skipReason, request, attempts, nextAttemptAt } = delivery;
  return {
    id,
    messageId,
    /** Goes to the `callback_url` of a request. */
    isCallback: endpointId === null,
    url,
    type,
    status,
    skipReason,
    /** Indented where it is whole; null before the first attempt. */
    request: request === null ? null : indented(request),
    /** Newest first. */
    attempts: attempts.map((attempt) => attemptViewOf(attempt, formatTime)).reverse(),
    nextAttemptAt: nextAttemptAt === null ? null : formatTime(nextAttemptAt),
    /** An attempt is under way or about to be. */
    isDue:
      status === 'pending' && nextAttemptAt !== null && new Date(nextAttemptAt).getTime() - now.getTime() < SOON_MS,
    createdAt: formatTime(delivery.createdAt),
  };
}

/** More than the first wait between attempts. */
const SOON_MS = 30_000;

const attemptViewOf = ({ at, status, error, answer, durationMs }: WebhookAttempt, formatTime: FormatDate) => ({
  at: formatTime(at),
  status,
  error,
  answer,
  durationMs,
});

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    // Cut at the length that the log keeps.
    return json;
  }
}
