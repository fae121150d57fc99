// What opens from the header for some readers now and then; fetched once the page answers.
export { MenuPanel } from './menu-panel.tsx'
export { ProfilePanel } from './profile-panel.tsx'
export { SearchPanel } from './search-panel.tsx'
