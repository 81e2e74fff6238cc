import packageJson from './package.json' with { type: 'json' };

export const VERSION = packageJson.version;
/** Of downloads; Adobe gives another one to plug-ins of its marketplace. */
const ID = 'app.clearframe.photoshop';

/** Of a plug-in for one server. */
export interface Origins {
  /** Of the product, as in `https://photos.example.org`. */
  readonly url: string;
  /** Of the signed addresses of files, where they have another one than the product. */
  readonly storage: string | null;
}

const icon = (size: number, name: string, theme: readonly string[]) => ({
  width: size,
  height: size,
  path: `icons/${name}.png`,
  scale: [1, 2],
  theme,
});
const DARK = ['darkest', 'dark', 'medium'];
const LIGHT = ['lightest', 'light'];

/** Labels of a command by language, of two letters; UXP takes the default for others. */
export type Labels = Readonly<{ default: string } & Record<string, string>>;

/**
 * Permissions are fixed when the plug-in is installed: the network is exactly the origins of one server.
 * @param commands labels by the id of the command
 */
export function manifestOf({ url, storage }: Origins, commands: Readonly<Record<string, Labels>>): object {
  return {
    manifestVersion: 5,
    id: ID,
    name: 'Clearframe',
    version: VERSION,
    main: 'index.html',
    // Menu commands can be recorded by Actions.
    host: { app: 'PS', minVersion: '25.1.0', data: { apiVersion: 2, loadEvent: 'use', enableMenuRecording: true } },
    entrypoints: [
      {
        type: 'panel',
        id: 'main',
        label: { default: 'Clearframe' },
        minimumSize: { width: 230, height: 200 },
        maximumSize: { width: 2000, height: 2000 },
        preferredDockedSize: { width: 230, height: 500 },
        preferredFloatingSize: { width: 280, height: 600 },
        icons: [icon(23, 'panel-dark', DARK), icon(23, 'panel-light', LIGHT)],
      },
      ...Object.entries(commands).map(([id, label]) => ({ type: 'command', id, label })),
    ],
    icons: [
      { ...icon(24, 'plugin-dark', DARK), species: ['pluginList'] },
      { ...icon(24, 'plugin-light', LIGHT), species: ['pluginList'] },
    ],
    requiredPermissions: {
      network: { domains: [...new Set([url, ...(storage ? [storage] : [])])] },
      localFileSystem: 'request',
      launchProcess: { schemes: [new URL(url).protocol.slice(0, -1)], extensions: [] },
      enableUserInfo: true,
    },
  };
}
