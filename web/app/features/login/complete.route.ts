import type { ActionFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { readForm } from '../../http/form.server';
import { asApiError, problemResponse } from '../../http/problem.server';
import { signIn } from './login.server';

/** The API refuses an empty token, with a message that the login form shows. */
const tokenForm = z.object({ idToken: z.string().default('') });

export async function action({ request, context }: ActionFunctionArgs) {
  const headers = new Headers({ 'cache-control': 'no-store' });
  const { idToken } = await readForm(request, context, tokenForm);
  try {
    const { user, next } = await signIn(idToken, { request, context, headers });
    return Response.json({ createdAt: user.createdAt, role: user.role, next }, { headers });
  } catch (error) {
    return problemResponse(asApiError(error, context), headers);
  }
}
