export function checkoutAddress(priceId: string, { taskId = null as string | null, trial = false } = {}): string {
  const query = new URLSearchParams({ priceId });
  if (taskId) query.set('taskId', taskId);
  if (trial) query.set('freeTrialEnabled', 'true');
  return `/checkout?${query}`;
}

/** Keeps the offer that the page's address forces: `version=ip` or `version=ft`. */
export function preserveOfferParam(address: string, search: string): string {
  const version = new URLSearchParams(search).get('version');
  if (version === null) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ version })}`;
}
