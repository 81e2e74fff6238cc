import type { WebhookDeliveryStatus } from '@clearframe/contract';
import { WEBHOOKS_ADDRESS } from '../../session/account-tabs';

export const endpointAddress = (endpointId: string): string => `${WEBHOOKS_ADDRESS}/${endpointId}`;

/** In the order of their links. */
export const DELIVERY_FILTERS = ['all', 'pending', 'delivered', 'failed', 'skipped'] as const satisfies readonly (
  | 'all'
  | WebhookDeliveryStatus
)[];
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number];

const FILTER_PARAMETER = 'show';
const AFTER_PARAMETER = 'after';

/** The log's part of a page's query. */
export function deliveryQueryIn(query: URLSearchParams) {
  return {
    filter: DELIVERY_FILTERS.find((filter) => filter === query.get(FILTER_PARAMETER)) ?? 'all',
    after: query.get(AFTER_PARAMETER),
  };
}

/** Where forms and links of the log lead, so that it stays on the screen. */
export const LOG_ID = 'deliveries';

/** @param page address of the page with the log */
export function deliveriesAddress(page: string, filter: DeliveryFilter, after: string | null = null): string {
  const query = new URLSearchParams();
  if (filter !== 'all') query.set(FILTER_PARAMETER, filter);
  if (after !== null) query.set(AFTER_PARAMETER, after);
  return `${page}${query.size > 0 ? `?${query}` : ''}#${LOG_ID}`;
}
