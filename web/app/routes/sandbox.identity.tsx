import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import TEXTS from '../features/identity/sandbox.json';
import { type answerSandbox, loadSandbox } from '../features/identity/sandbox.server';
import { SandboxPage } from '../features/identity/sandbox-page';

export const handle = { isBare: true };

export { answerSandbox as action } from '../features/identity/sandbox.server';
export { pageHeaders as headers } from '../page-headers';
export const loader = loadSandbox;

export const meta: MetaFunction = () => [{ title: TEXTS.title }, { name: 'robots', content: 'noindex' }];

export default function SandboxIdentityPage() {
  const { provider, isPopup } = useLoaderData<typeof loader>();
  return <SandboxPage provider={provider} isPopup={isPopup} answer={useActionData<typeof answerSandbox>()} />;
}
