// Package pages serves the pages of people and workspaces: welcome, about,
// sign-up, sign-in and sign-out, the choice of the workspace, and settings.
//
// They change accounts through account.Service only, which appends an event to
// the record in the transaction of the change. A form that is refused is shown
// again with what was typed, except passwords, and every sentence stands
// beside its field.
//
// time_zones.txt lists the zones to choose from: those of the IANA file
// zone.tab, and the older names that browsers still report, such as
// Asia/Calcutta. The server accepts every other IANA name as well.
//
// Owns no tables. Reason to be a package: bedrock's pages, without a plate.
package pages
