declare module '@20minutes/s3rver' {
  import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

  interface Context {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly query: Readonly<Record<string, string | undefined>>;
    readonly req: IncomingMessage;
    status: number;
    type: string;
    body: string;
    get(header: string): string;
    set(header: string, value: string): void;
  }

  interface Options {
    readonly address: string;
    readonly port: number;
    readonly silent: boolean;
    readonly allowMismatchedSignatures: boolean;
    readonly directory: string;
    readonly configureBuckets: readonly { name: string; configs: readonly string[] }[];
  }

  class S3rver {
    constructor(options: Options);
    readonly middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[];
    readonly store: {
      existsObject(bucket: string, key: string): Promise<boolean>;
      getResourcePath(bucket: string, key: string | undefined, resource: string): string;
    };
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }

  export { S3rver as default };
}
