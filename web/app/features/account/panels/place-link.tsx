import type { ReactNode } from 'react';
import { useModalFrame } from '../../../ui/modal/modal-frame';
import { AppLink } from '../../../ui/page/app-link';
import type { ModalHandle } from '../../modals/catalogue';
import type { AccountPlace } from '../view/account-tabs';

interface PlaceLinkProps {
  readonly modal: ModalHandle<'user:account'>;
  readonly to: AccountPlace;
  readonly className: string;
  readonly children: ReactNode;
}

/** Opens another place of the account: within the dialog, or its page. */
export function PlaceLink({ modal, to, className, children }: PlaceLinkProps) {
  const { place } = useModalFrame();
  if (place === 'page') {
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
