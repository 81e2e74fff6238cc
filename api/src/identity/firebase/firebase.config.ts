import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

const ServiceAccountKey = z.object({
  project_id: z.string().min(1),
  client_email: z.email(),
  private_key: z.string().refine(isPrivateKey),
});

export type ServiceAccountKey = z.infer<typeof ServiceAccountKey>;

function isJsonFile(path: string): boolean {
  try {
    return typeof JSON.parse(readFileSync(path, 'utf8')) === 'object';
  } catch {
    return false;
  }
}

/** Errors don't contain the value, which is a secret. */
const serviceAccount = z.string().transform((text, context): ServiceAccountKey => {
  try {
    return ServiceAccountKey.parse(JSON.parse(text));
  } catch {
    context.addIssue('is not the JSON of a service account’s key');
    return z.NEVER;
  }
});

const schema = z.object({
  FIREBASE_PROJECT_ID: z
    .string({ error: 'is missing' })
    .regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, { error: 'is not a project id' }),
  FIREBASE_SERVICE_ACCOUNT: serviceAccount.optional(),
  // Checked here because the library reads the file at the first login.
  GOOGLE_APPLICATION_CREDENTIALS: z
    .string()
    .refine(isJsonFile, { error: 'is not the path of a readable JSON file' })
    .optional(),
  FIREBASE_AUTH_EMULATOR_HOST: z
    .string()
    .regex(/^[\w.-]+:\d{1,5}$/, { error: 'is not host:port' })
    .optional(),
});

/** The project id verifies tokens; a service account rejects disabled users at once and deletes erased accounts. */
export class FirebaseConfig {
  private constructor(
    readonly projectId: string,
    /** The key, or `file` if GOOGLE_APPLICATION_CREDENTIALS names a file. */
    readonly serviceAccount: ServiceAccountKey | 'file' | null,
    /** `host:port` of the emulator, for tests and development. */
    readonly emulatorHost: string | null,
  ) {}

  static fromEnvironment(environment: Environment): FirebaseConfig {
    const env = readEnvironment(schema, environment);
    const key = env.FIREBASE_SERVICE_ACCOUNT ?? null;
    if (key && key.project_id !== env.FIREBASE_PROJECT_ID) {
      throw new ConfigurationError('FIREBASE_SERVICE_ACCOUNT: belongs to another project than FIREBASE_PROJECT_ID');
    }
    return new FirebaseConfig(
      env.FIREBASE_PROJECT_ID,
      key ?? (env.GOOGLE_APPLICATION_CREDENTIALS ? 'file' : null),
      env.FIREBASE_AUTH_EMULATOR_HOST ?? null,
    );
  }
}
