import { Rejection } from './problem.js';

type Query = Readonly<Record<string, string | undefined>>;

/** Pages lead to the product's origin only. */
export class ReturnUrls {
  constructor(readonly publicUrl: string) {}

  /** @throws Rejection `request.invalid` for a URL on another origin */
  check(address: string): URL {
    const url = URL.canParse(address, this.publicUrl) ? new URL(address, this.publicUrl) : null;
    if (url?.origin === new URL(this.publicUrl).origin) return url;
    const description = 'Not an address of the product';
    throw new Rejection('request.invalid', description, { return_url: description });
  }

  with(address: string, query: Query): string {
    const url = this.check(address);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }

  pageOf(path: string, query: Query = {}): string {
    return this.with(`/api/sandbox/pages/${path}`, query);
  }
}
