import type { ModalRegistry } from '../modals/catalogue';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    readonly 'history:delete': Modal<{ readonly taskIds: readonly string[] }, 'kept'>;
  }
}

export const HISTORY_MODALS: ModalRegistry<'history:delete'> = {
  'history:delete': {
    address: ({ taskIds }) => `/history/delete?${new URLSearchParams(taskIds.map((id) => ['taskId', id]))}`,
    load: async () => (await import('./history/delete-modal')).DeleteModal,
    sections: ['account'],
  },
};
