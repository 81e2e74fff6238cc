import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../../platform/config/app.config.js';
import { AppError } from '../../../../platform/errors/app-error.js';

/** On the product's origin only. */
@Injectable()
export class ReturnUrls {
  constructor(private readonly app: AppConfig) {}

  /** @throws AppError `request.invalid` for a URL on another origin */
  check(address: string): URL {
    const url = URL.canParse(address, this.app.publicUrl) ? new URL(address, this.app.publicUrl) : null;
    if (url?.origin === this.app.publicUrl) return url;
    const description = 'Not an address of the product';
    throw new AppError('request.invalid', { description, details: { return_url: description } });
  }

  /** Adds query parameters. */
  with(address: string, query: Readonly<Record<string, string | undefined>>): string {
    const url = this.check(address);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }

  pageOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
    return this.with(`/api/sandbox/pages/${path}`, query);
  }
}
