import type { RouteRequest, StoredTaskStatus, taskRoutes } from '@clearframe/contract';

/** In the order of their links. */
export const FILTERS = ['all', 'photos', 'videos', 'ready', 'running', 'failed'] as const;
export type HistoryFilter = (typeof FILTERS)[number];

const STATUSES: Partial<Record<HistoryFilter, StoredTaskStatus[]>> = {
  ready: ['completed', 'exported'],
  running: ['started', 'uploading', 'processing', 'reprocessing'],
  failed: ['failed'],
};

export function queryOf(filter: HistoryFilter): RouteRequest<typeof taskRoutes.listTasks>['query'] {
  if (filter === 'photos' || filter === 'videos') return { mediaType: filter === 'photos' ? 'image' : 'video' };
  const status = STATUSES[filter];
  return status ? { status } : {};
}

const FILTER_PARAMETER = 'show';

export const filterIn = (query: URLSearchParams): HistoryFilter =>
  FILTERS.find((filter) => filter === query.get(FILTER_PARAMETER)) ?? 'all';

/** A page of the history; `after` and `before` are the ids of the adjacent photos. */
export function historyAddress(
  filter: HistoryFilter,
  page: { readonly after?: string | undefined; readonly before?: string | undefined } = {},
): string {
  const query = new URLSearchParams();
  if (filter !== 'all') query.set(FILTER_PARAMETER, filter);
  for (const [name, id] of Object.entries(page)) if (id) query.set(name, id);
  return query.size > 0 ? `/history?${query}` : '/history';
}
