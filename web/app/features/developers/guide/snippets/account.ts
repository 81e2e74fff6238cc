import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
const { role, limits } = await clearframe.me();
console.log(JSON.stringify({ role, limits }));
