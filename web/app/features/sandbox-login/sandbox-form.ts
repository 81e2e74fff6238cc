import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';
import { LOGIN_PROVIDER_LIST } from '../login/providers';
import { SCENARIOS } from './sandbox-scenarios';

const choice = {
  provider: z.enum(LOGIN_PROVIDER_LIST),
  /** Without one, the login succeeds. */
  scenario: z.enum(SCENARIOS).optional().catch(undefined),
};
const loginForm = z.object({ ...choice, email: z.string().trim().pipe(z.email()), cancel: z.undefined().optional() });
const cancelForm = z.object({ ...choice, email: z.string().trim().default(''), cancel: z.string() });

export type SandboxChoice = z.output<typeof loginForm> | z.output<typeof cancelForm>;

/** Reads the form, in the action and in the browser. Cancelling needs no email address. */
export const parseSandbox = (fields: FormData | URLSearchParams) =>
  parseWithZod<z.ZodType<SandboxChoice>>(fields, { schema: fields.has('cancel') ? cancelForm : loginForm });
