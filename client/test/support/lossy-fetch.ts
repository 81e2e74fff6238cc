/** Loses the answer of each request once: the server has done it, the client doesn't know. */
export function losingAnswers(): typeof fetch {
  const lost = new Set<string>();
  return async (input, init) => {
    const response = await fetch(input, init);
    const request = `${init?.method} ${new URL(String(input)).pathname}`;
    if (lost.has(request)) return response;
    lost.add(request);
    await response.body?.cancel();
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
  };
}
