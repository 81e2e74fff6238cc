import { expect } from 'vitest';
import type { TestApi } from '../../support/application.js';

export const PAGES = '/api/sandbox/pages';
/** Path and query to which pages return. */
export const RETURN = '/checkout/return?v=ft';

/** A browser's requests to the sandbox's pages, without cookies. */
export class PageClient {
  constructor(private readonly api: TestApi) {}

  /** @param path below {@link PAGES} */
  open(path: string, query: object = {}) {
    return this.api.http.get(`${PAGES}/${path}`).query(query);
  }

  send(path: string, fields: object) {
    return this.api.http.post(`${PAGES}/${path}`).type('form').send(fields);
  }

  /** Path and query of a redirect to the product. */
  resultOf(location: string | undefined): { path: string; result: Record<string, string> } {
    const url = new URL(location ?? '');
    expect(url.origin).toBe(this.api.url);
    return { path: url.pathname, result: Object.fromEntries(url.searchParams) };
  }
}
