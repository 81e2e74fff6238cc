import type { ModalHandle } from '../../modals/catalogue';
import type { AccountView } from '../view/account-view';

/** What every tab is given. */
export interface PanelProps {
  readonly account: AccountView;
  /** The account has changed. */
  readonly onChange: (account: AccountView) => void;
  /** The dialog, or the page, that it is in. */
  readonly modal: ModalHandle<'user:account'>;
}
