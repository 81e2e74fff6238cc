import type { ReactNode } from 'react';
import type { AccountSection } from '../../session/account-tabs';
import { useModalFrame } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import type { ModalHandle } from '../modals/catalogue';

interface SectionLinkProps {
  readonly modal: ModalHandle<'user:account'>;
  readonly to: AccountSection;
  readonly className: string;
  readonly children: ReactNode;
}

export function SectionLink({ modal, to, className, children }: SectionLinkProps) {
  const { mode } = useModalFrame();
  if (mode === 'page') {
    return (
      <AppLink to={modal.addressOf({ tab: to })} data-step="" className={className}>
        {children}
      </AppLink>
    );
  }
  return (
    <button
      type="button"
      data-step=""
      onClick={() => modal.change({ tab: to })}
      className={`cursor-pointer ${className}`}
    >
      {children}
    </button>
  );
}
