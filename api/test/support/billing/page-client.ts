import { expect } from 'vitest';
import type { TestApi } from '../application.js';

export const PAGES = '/api/sandbox/pages';
export const RETURN = '/checkout/return?v=ft';

export class PageClient {
  constructor(private readonly api: TestApi) {}

  open(path: string, query: object = {}) {
    return this.api.http.get(`${PAGES}/${path}`).query(query);
  }

  send(path: string, fields: object) {
    return this.api.http.post(`${PAGES}/${path}`).type('form').send(fields);
  }

  resultOf(location: string | undefined): { path: string; result: Record<string, string> } {
    const url = new URL(location ?? '');
    expect(url.origin).toBe(this.api.url);
    return { path: url.pathname, result: Object.fromEntries(url.searchParams) };
  }
}
