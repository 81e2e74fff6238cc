export class ZendeskError extends Error {
  override readonly name = 'ZendeskError';

  constructor(
    readonly status: number,
    readonly code: string,
    readonly description: string,
    readonly details?: Readonly<Record<string, readonly { readonly description: string }[]>>,
  ) {
    super(description);
  }

  get body(): object {
    return { error: this.code, description: this.description, ...(this.details && { details: this.details }) };
  }
}
