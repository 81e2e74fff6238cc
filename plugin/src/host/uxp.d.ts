/** What the plug-in uses of UXP 7.3. Adobe's own package of types replaces those of the DOM by incomplete ones. */
declare module 'uxp' {
  interface File {
    readonly name: string;
    readonly isFile: boolean;
    read(options?: { readonly format: symbol }): Promise<string | ArrayBuffer>;
    write(content: string | ArrayBuffer, options?: { readonly format: symbol }): Promise<number>;
  }
  interface Folder {
    readonly name: string;
    getEntries(): Promise<File[]>;
    getEntry(name: string): Promise<File>;
    createFile(name: string, options: { readonly overwrite: boolean }): Promise<File>;
  }
  interface SecureStorage {
    setItem(key: string, value: string): Promise<void>;
    getItem(key: string): Promise<Uint8Array | null>;
    removeItem(key: string): Promise<void>;
  }
  export const storage: {
    readonly secureStorage: SecureStorage;
    readonly formats: { readonly binary: symbol };
    readonly localFileSystem: {
      getDataFolder(): Promise<Folder>;
      /** Null when the user chooses none. */
      getFolder(): Promise<Folder | null>;
      /** For a later start of Photoshop. */
      createPersistentToken(entry: Folder): Promise<string>;
      /** @throws Error where the entry is gone */
      getEntryForPersistentToken(token: string): Promise<Folder>;
    };
  };
  export const host: { readonly uiLocale: string };
  export const versions: { readonly plugin: string };
  export const shell: { openExternal(url: string): Promise<string> };
  /** With the permission `enableUserInfo`. */
  export const userInfo: { userId(): string } | undefined;
  export interface Entrypoints {
    readonly panels: Readonly<Record<string, { show(): void }>>;
    readonly commands: Readonly<Record<string, { run(): Promise<void> }>>;
  }
  export const entrypoints: { setup(setup: Entrypoints): void };
}
