import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { KeyedMutex } from '@clearframe/runtime/concurrency';

const BUCKET = 'clearframe-test';

/** Any origin may read and write, as in the bucket policy of `docs/operating.md`. */
const CORS = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>
<AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader></CORSRule></CORSConfiguration>`;

export interface S3Server {
  readonly bucket: string;
  readonly endpoint: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly puts: readonly NodeJS.Dict<string | string[]>[];
  readonly gets: readonly string[];
  stop(): Promise<void>;
}

const CHECKSUM_HEADER = 'x-amz-checksum-sha256';
const PRECONDITION_FAILED =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>PreconditionFailed</Code><Message>exists</Message></Error>';

/**
 * An S3 server with an empty bucket. Adds what it lacks: conditional PUT, AbortMultipartUpload, and declared checksums in
 * HEAD responses.
 * @param checksSignatures rejects wrong signatures, but also valid ones of requests to a bucket (the server drops the
 * slash of the path) and of queries with an apostrophe or asterisk (not encoded by it)
 */
export async function startS3Server({ checksSignatures = false } = {}): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'clearframe-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    allowMismatchedSignatures: !checksSignatures,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [CORS] }],
  });
  const puts: NodeJS.Dict<string | string[]>[] = [];
  const gets: string[] = [];
  const checksums = new Map<string, string>();
  const writes = new KeyedMutex();
  server.middleware.unshift(async (context, next) => {
    const { uploadId } = context.query;
    if (context.method === 'DELETE' && uploadId) {
      await rm(join(server.store.getResourcePath(BUCKET, undefined, 'uploads'), uploadId), { recursive: true });
      context.status = 204;
      return;
    }
    if (context.method === 'GET') gets.push(context.path);
    if (context.method === 'HEAD') context.set(CHECKSUM_HEADER, checksums.get(context.path) ?? '');
    if (context.method !== 'PUT') return next();
    puts.push(context.headers);
    checksums.set(context.path, context.get(CHECKSUM_HEADER));
    if (context.headers['if-none-match'] !== '*') return next();
    return writes.runExclusive(context.path, async () => {
      const key = decodeURIComponent(context.path).slice(`/${BUCKET}/`.length);
      if (!(await server.store.existsObject(BUCKET, key))) return next();
      context.req.resume();
      context.status = 412;
      context.type = 'application/xml';
      context.body = PRECONDITION_FAILED;
    });
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    bucket: BUCKET,
    endpoint,
    puts,
    gets,
    environment: {
      STORAGE_DRIVER: 's3',
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: endpoint,
      S3_FORCE_PATH_STYLE: 'true',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    stop: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
