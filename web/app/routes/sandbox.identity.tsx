import type { MetaFunction } from '@remix-run/node';
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from '@remix-run/react';
import { replyToOpener } from '../features/identity/client/sandbox-reply';
import TEXTS from '../features/identity/sandbox/sandbox.json';
import { loadSandbox, type sandboxAction } from '../features/identity/sandbox/sandbox.server';
import { SandboxPage } from '../features/identity/sandbox/sandbox-page';

export const handle = { isBare: true };

export { sandboxAction as action } from '../features/identity/sandbox/sandbox.server';
export { pageHeaders as headers } from '../http/page-headers';
export const loader = loadSandbox;

/** Replies before rendering: a revalidation may drop the action's data. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const isPopup = new URL(request.url).searchParams.get('display') === 'popup';
  const response = await serverAction<typeof sandboxAction>();
  if (isPopup && response?.reply) replyToOpener(response.reply);
  return response;
}

export const meta: MetaFunction = () => [{ title: TEXTS.title }, { name: 'robots', content: 'noindex' }];

export default function SandboxIdentityPage() {
  const { provider, isPopup } = useLoaderData<typeof loader>();
  return <SandboxPage provider={provider} isPopup={isPopup} response={useActionData<typeof sandboxAction>()} />;
}
