import { useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { ModalLink } from '../modals/modal-link';

interface PaywallLinkProps {
  readonly taskId?: string;
  readonly previousAction: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export function PaywallLink({ taskId, previousAction, ...link }: PaywallLinkProps) {
  const version = new URLSearchParams(useLocation().search).get('version');
  const query = { ...(taskId && { taskId }), previousAction, ...(version && { version }) };
  return <ModalLink modal="paywall" with={{ query, loaded: null }} {...link} />;
}
