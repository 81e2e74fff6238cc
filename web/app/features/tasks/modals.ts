import type { ModalRegistry } from '../modals/catalogue';
import { type Downloads, downloadAddress } from './history/selection/downloads';
import type { ShareLink } from './sharing/share-view';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    readonly 'history:delete': Modal<{ readonly taskIds: readonly string[] }, 'kept'>;
    readonly 'history:download': Modal<Downloads, 'downloaded' | 'kept'>;
    /** `link` is loaded where it is absent; null: not shared. */
    readonly share: Modal<{ readonly taskId: string; readonly link?: ShareLink | null }, never>;
  }
}

export const TASK_MODALS: ModalRegistry<'history:delete' | 'history:download' | 'share'> = {
  'history:delete': {
    address: ({ taskIds }) => `/history/delete?${new URLSearchParams(taskIds.map((id) => ['taskId', id]))}`,
    load: async () => (await import('./history/selection/delete-modal')).DeleteModal,
    sections: ['account'],
  },
  'history:download': {
    address: ({ taskIds }) => downloadAddress(taskIds),
    load: async () => (await import('./history/selection/download-modal')).DownloadModal,
    sections: ['account'],
  },
  share: {
    address: ({ taskId }) => `/share?${new URLSearchParams({ taskId })}`,
    load: async () => (await import('./sharing/share-modal')).ShareModal,
    sections: ['result'],
  },
};
