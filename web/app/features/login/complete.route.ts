import type { ActionFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { readForm } from '../../http/form.server';
import { signIn } from './login.server';

/** The API refuses an empty token, with a message that the login form shows. */
const tokenForm = z.object({ idToken: z.string().default('') });

export async function action({ request, context }: ActionFunctionArgs) {
  const { idToken } = await readForm(request, context, tokenForm);
  const { user, next } = await signIn(idToken, { request, context });
  return Response.json({ createdAt: user.createdAt, role: user.role, next });
}
