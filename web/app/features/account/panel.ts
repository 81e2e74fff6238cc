import type { ModalHandle } from '../modals/catalogue';
import type { AccountView } from './account-view.server';

export interface PanelProps {
  readonly account: AccountView;
  readonly onChange: (account: AccountView) => void;
  readonly modal: ModalHandle<'user:account'>;
}
