import type { ModalRegistry } from '../../modals/catalogue';
import { SECRET_MENU_ADDRESS } from './secret-menu-view';

declare module '../../modals/catalogue' {
  interface ModalCatalogue {
    readonly 'secret-menu': Modal<NoProps, never>;
  }
}

export const SECRET_MENU_MODALS: ModalRegistry<'secret-menu'> = {
  'secret-menu': {
    address: () => SECRET_MENU_ADDRESS,
    load: async () => (await import('./secret-menu-modal')).SecretMenuModal,
    sections: ['account'],
  },
};
