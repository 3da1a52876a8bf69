module many

go 1.19
